package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The search finds an order for every history of a real register, and none once a read is made to say the past. */
class RegistersProperties {

    private static final int OPS = 200;
    private static final long LONGEST = 40;

    /** A register that takes each operation at one moment between its call and its return. */
    private static List<Op> history(Random random) {
        List<Op> ops = new ArrayList<>();
        long value = 0;
        long moment = 100;
        for (int i = 1; i <= OPS; i++) {
            moment += 1 + random.nextInt(20);
            Op.Kind kind = List.of(Op.Kind.READ, Op.Kind.WRITE, Op.Kind.CAS).get(random.nextInt(3));
            long expected = random.nextBoolean() ? value : 0;
            boolean done = kind == Op.Kind.WRITE || (kind == Op.Kind.CAS && expected == value);
            boolean unknown = random.nextInt(8) == 0;
            Answer answer = new Answer("a", 1, moment, moment, value, done, List.of());
            ops.add(new Op(
                    i,
                    "caller.0",
                    "register/0",
                    kind,
                    expected,
                    moment - (long) (random.nextDouble() * LONGEST),
                    LONGEST,
                    moment + (long) (random.nextDouble() * LONGEST),
                    unknown ? Op.Outcome.UNKNOWN : Op.Outcome.OK,
                    "",
                    unknown ? null : answer));
            if (done && !(unknown && random.nextBoolean())) {
                value = i;
            }
        }
        return ops;
    }

    @Property(tries = 200)
    void everyHistoryOfARealRegisterIsInOrder(@ForAll long seed) {
        assertThat(Registers.fault(history(new Random(seed)))).isEmpty();
    }

    @Property(tries = 200)
    void aReadOfAValueThatWasReplacedLongAgoIsFound(@ForAll long seed) {
        List<Op> ops = history(new Random(seed));
        // Values of the first half, read when the second half has replaced them.
        long written = ops.stream()
                .limit(OPS / 2)
                .filter(op -> op.kind() == Op.Kind.WRITE && op.isAnswered())
                .findFirst()
                .map(Op::id)
                .orElse(0L);
        Op last = ops.get(OPS - 1);
        long at = last.returned() + LONGEST;
        ops.add(new Op(
                OPS + 1,
                "caller.0",
                "register/0",
                Op.Kind.READ,
                0,
                at,
                LONGEST,
                at + 1,
                Op.Outcome.OK,
                "",
                new Answer("a", 1, at, at, written, false, List.of())));
        assertThat(Registers.fault(ops)).isPresent();
    }
}
