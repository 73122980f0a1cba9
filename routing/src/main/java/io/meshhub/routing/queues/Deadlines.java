package io.meshhub.routing.queues;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When waits are over: for very many of them, of which nearly all end before their time.
 *
 * <p>A timer for each message would cost more than the message. Here a wait is a link in a list of those that are due in
 * the same 10 ms, and one timer stands for the earliest of a stripe. A stripe belongs to those threads that share its
 * number, so its lock is hardly ever waited for, where a wait ends on the thread on which it began.
 */
public final class Deadlines {

    /** Something that is over at a time, unless it ends before. */
    public abstract static class Wait {
        private @Nullable Stripe stripe;
        private @Nullable Wait previous;
        private @Nullable Wait next;
        private long due;

        /** The time is over; called once at most, on the pacer's thread. */
        protected abstract void over();
    }

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    private static final int STRIPES = 16;
    private static final long SLOT_NANOS = 10_000_000;
    // 41 s, so that no deadline of the usual budgets goes round.
    private static final int SLOTS = 4096;

    private final MeshClock clock;
    private final Pacer pacer;
    private final long base;
    private final Stripe[] stripes = new Stripe[STRIPES];

    /** None waits yet. */
    public Deadlines(MeshClock clock, Pacer pacer) {
        this.clock = clock;
        this.pacer = pacer;
        this.base = clock.nanoTime();
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** The wait begins; it must not have begun before. */
    public void add(Wait wait, long deadlineNanos) {
        ofThisThread().add(wait, deadlineNanos - base);
    }

    /**
     * Runs an action in which many waits begin and end on this thread: a timer that was needed for one of them stays until
     * the action is over, so that each one that finds no other costs no timer of its own.
     */
    public void during(Runnable action) {
        Stripe stripe = ofThisThread();
        stripe.keep();
        try {
            action.run();
        } finally {
            stripe.keepNoMore();
        }
    }

    private Stripe ofThisThread() {
        return stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)];
    }

    /**
     * The wait has ended by itself.
     *
     * @return whether its time was not over yet
     */
    public boolean remove(Wait wait) {
        Stripe stripe = wait.stripe;
        return stripe != null && stripe.remove(wait);
    }

    /** All that wait now. */
    public List<Wait> all() {
        List<Wait> all = new ArrayList<>();
        for (Stripe stripe : stripes) {
            stripe.addTo(all);
        }
        return all;
    }

    private final class Stripe {
        // Made when the first one comes.
        private @Nullable Wait @Nullable [] slots;
        private int size;
        // Actions that keep the timer.
        private int keeping;
        private long armedFor = Long.MAX_VALUE;
        private Pacer.Cancellable timer = Pacer.Cancellable.NONE;

        private static int slot(long due) {
            return (int) (due / SLOT_NANOS) & (SLOTS - 1);
        }

        synchronized void add(Wait wait, long due) {
            @Nullable Wait[] lists = slots;
            if (lists == null) {
                lists = new Wait[SLOTS];
                slots = lists;
            }
            int slot = slot(due);
            Wait first = lists[slot];
            wait.stripe = this;
            wait.due = due;
            wait.next = first;
            if (first != null) {
                first.previous = wait;
            }
            lists[slot] = wait;
            size++;
            if (due < armedFor) {
                arm(due);
            }
        }

        private void arm(long due) {
            timer.cancel();
            armedFor = due;
            timer = due == Long.MAX_VALUE
                    ? Pacer.Cancellable.NONE
                    : pacer.after(Duration.ofNanos(base + due - clock.nanoTime()), this::fire);
        }

        synchronized boolean remove(Wait wait) {
            if (!unlink(wait)) {
                return false;
            }
            disarm();
            return true;
        }

        private void disarm() {
            if (size == 0 && keeping == 0 && armedFor != Long.MAX_VALUE) {
                arm(Long.MAX_VALUE);
            }
        }

        synchronized void keep() {
            keeping++;
        }

        synchronized void keepNoMore() {
            keeping--;
            disarm();
        }

        private boolean unlink(Wait wait) {
            @Nullable Wait[] lists = slots;
            if (wait.stripe == null || lists == null) {
                return false;
            }
            Wait before = wait.previous;
            Wait after = wait.next;
            if (before == null) {
                lists[slot(wait.due)] = after;
            } else {
                before.next = after;
            }
            if (after != null) {
                after.previous = before;
            }
            wait.previous = null;
            wait.next = null;
            wait.stripe = null;
            size--;
            return true;
        }

        private void fire() {
            for (Wait wait : takeDue()) {
                try {
                    wait.over();
                } catch (RuntimeException e) {
                    LOG.error("What waited was not told that its time is over", e);
                }
            }
        }

        // Nothing is due before what the timer was armed for, so the lists from there on are all that can be.
        private synchronized List<Wait> takeDue() {
            List<Wait> over = new ArrayList<>();
            @Nullable Wait[] lists = slots;
            if (lists == null || size == 0) {
                // One that was kept: the next wait needs another.
                arm(Long.MAX_VALUE);
                return over;
            }
            long now = clock.nanoTime() - base;
            long first = Math.min(armedFor, now) / SLOT_NANOS;
            long last = Math.min(now / SLOT_NANOS, first + SLOTS - 1);
            for (long at = first; at <= last; at++) {
                for (Wait wait = lists[(int) at & (SLOTS - 1)]; wait != null; ) {
                    Wait following = wait.next;
                    if (wait.due <= now) {
                        unlink(wait);
                        over.add(wait);
                    }
                    wait = following;
                }
            }
            arm(earliest(lists, now));
            return over;
        }

        private long earliest(@Nullable Wait[] lists, long now) {
            if (size == 0) {
                return Long.MAX_VALUE;
            }
            long round = now / SLOT_NANOS;
            long later = Long.MAX_VALUE;
            for (int i = 0; i < SLOTS; i++) {
                long least = Long.MAX_VALUE;
                for (Wait wait = lists[(int) (round + i) & (SLOTS - 1)]; wait != null; wait = wait.next) {
                    least = Math.min(least, wait.due);
                }
                if (least / SLOT_NANOS <= round + i) {
                    return least;
                }
                // Due in a later round.
                later = Math.min(later, least);
            }
            return later;
        }

        synchronized void addTo(List<Wait> all) {
            @Nullable Wait[] lists = slots;
            for (int i = 0; lists != null && i < SLOTS; i++) {
                for (Wait wait = lists[i]; wait != null; wait = wait.next) {
                    all.add(wait);
                }
            }
        }
    }
}
