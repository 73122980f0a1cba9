package io.meshhub.cluster;

import java.util.Random;

/**
 * How well the network and the data grid of a simulated cluster work.
 *
 * @param heartbeatMillis after how long a member that cannot be reached is noticed; far below a lease it shows who claims
 *     too early
 * @param listLagMillis how late a process may learn of a change of the member list
 * @param slowOneIn one message in so many is slow
 * @param slowMillis how late a slow message is at most
 * @param eventLostOneIn one event of a row in so many never comes
 * @param rereadMillis the pace at which rows are read again
 */
record SimNet(
        long heartbeatMillis, int listLagMillis, int slowOneIn, int slowMillis, int eventLostOneIn, long rereadMillis) {

    /** A network without vices. */
    static final SimNet PLAIN = new SimNet(2_000, 300, 50, 2_500, 30, 2_000);

    static SimNet of(Random random) {
        return new SimNet(
                1_000 + random.nextInt(random.nextBoolean() ? 1_000 : 4_500),
                random.nextInt(3) == 0 ? 3_000 : 300,
                random.nextInt(3) == 0 ? 6 : 50,
                1_000 + random.nextInt(4_000),
                random.nextInt(4) == 0 ? 3 : 30,
                2_000 + random.nextInt(3) * 1_500);
    }

    SimNet quickToNotice(Random random) {
        return new SimNet(1_000 + random.nextInt(700), 300, slowOneIn, slowMillis, eventLostOneIn, rereadMillis);
    }

    SimNet slow(Random random) {
        return new SimNet(
                1_000 + random.nextInt(700),
                listLagMillis,
                2 + random.nextInt(4),
                2_000 + random.nextInt(3_500),
                eventLostOneIn,
                rereadMillis);
    }

    SimNet forgetful() {
        return new SimNet(heartbeatMillis, listLagMillis, slowOneIn, slowMillis, 2, 6_000);
    }
}
