package io.meshhub.hub;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.routing.RideOutPolicy;
import java.time.Duration;

/**
 * The bounds of the hubs of a node.
 *
 * @param startQueue the most messages that wait for the start of one hub; at least 1
 * @param mailbox the most messages that wait or are in progress at one started hub; at least 1
 * @param idleTimeout ends an activation after so long without a message, where its hub says nothing else
 * @param startBackoff how long an address whose start failed refuses at once, the first time; it doubles with each
 *     further failure
 * @param maxStartBackoff the longest such refusal
 * @param disposal how long a disposal waits for handlers and requests that are under way, and after how long it is
 *     forced; the bounds of hosted hubs are derived from it
 * @param rideOut how callers on this node ride out refusals; it must outlast the disposal
 * @param keepAliveCap the longest that a hub may keep itself awake with one call of {@link HubContext#keepAlive}
 * @param allowPark whether an address can be parked at {@link io.meshhub.routing.RunLevel#DEAD}, for tests and
 *     demonstrations
 * @param principalRequired whether messages without a principal are refused, other than those of the mesh itself
 */
public record HubOptions(
        int startQueue,
        int mailbox,
        Duration idleTimeout,
        Duration startBackoff,
        Duration maxStartBackoff,
        DisposalBounds disposal,
        RideOutPolicy rideOut,
        Duration keepAliveCap,
        boolean allowPark,
        boolean principalRequired) {

    /** Messages that wait for a start: 512. */
    public static final int DEFAULT_START_QUEUE = 512;

    /** Messages that wait or are in progress at a hub: 1024. */
    public static final int DEFAULT_MAILBOX = 1024;

    /** Without a message: 5 min. */
    public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(5);

    /** After the first failed start: 1 s. */
    public static final Duration DEFAULT_START_BACKOFF = Duration.ofSeconds(1);

    /** After many failed starts: 30 s. */
    public static final Duration DEFAULT_MAX_START_BACKOFF = Duration.ofSeconds(30);

    /** For running handlers: 2 s. */
    public static final Duration DEFAULT_QUIESCE = Duration.ofSeconds(2);

    /** Until a disposal is forced: 7.5 s. */
    public static final Duration DEFAULT_DISPOSAL_WATCHDOG = Duration.ofMillis(7500);

    /** With one call: 1 h. */
    public static final Duration DEFAULT_KEEP_ALIVE_CAP = Duration.ofHours(1);

    public HubOptions {
        requireAtLeastOne("startQueue", startQueue);
        requireAtLeastOne("mailbox", mailbox);
        requirePositive("idleTimeout", idleTimeout);
        requirePositive("startBackoff", startBackoff);
        requirePositive("keepAliveCap", keepAliveCap);
        if (maxStartBackoff.compareTo(startBackoff) < 0) {
            throw new IllegalArgumentException("maxStartBackoff = " + maxStartBackoff.toMillis()
                    + " ms must not be below startBackoff = " + startBackoff.toMillis() + " ms");
        }
        // A rider must never give up on a teardown that would still have ended in good order.
        rideOut.requireOutlasts(disposal.watchdog());
    }

    /** How long the hubs of a shard may take to end before it is given away. */
    public Duration handOver() {
        return disposal.handOver();
    }

    private static void requireAtLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " = " + value + " must be >= 1");
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " = " + value.toMillis() + " ms must be > 0 ms");
        }
    }

    /** The bounds where nothing is set. */
    public static HubOptions ofDefaults() {
        return new HubOptions(
                DEFAULT_START_QUEUE,
                DEFAULT_MAILBOX,
                DEFAULT_IDLE_TIMEOUT,
                DEFAULT_START_BACKOFF,
                DEFAULT_MAX_START_BACKOFF,
                new DisposalBounds(DEFAULT_QUIESCE, DEFAULT_DISPOSAL_WATCHDOG),
                RideOutPolicy.ofDefaults(),
                DEFAULT_KEEP_ALIVE_CAP,
                false,
                false);
    }

    /** The same with other bounds of what waits at a hub. */
    public HubOptions withQueues(int newStartQueue, int newMailbox) {
        return new HubOptions(
                newStartQueue,
                newMailbox,
                idleTimeout,
                startBackoff,
                maxStartBackoff,
                disposal,
                rideOut,
                keepAliveCap,
                allowPark,
                principalRequired);
    }

    /** The same with another idle time-out. */
    public HubOptions withIdleTimeout(Duration newIdleTimeout) {
        return new HubOptions(
                startQueue,
                mailbox,
                newIdleTimeout,
                startBackoff,
                maxStartBackoff,
                disposal,
                rideOut,
                keepAliveCap,
                allowPark,
                principalRequired);
    }

    /** The same with other refusals after a start that failed: how long the first one lasts, and the longest. */
    public HubOptions withStartBackoff(Duration newStartBackoff, Duration newMaxStartBackoff) {
        return new HubOptions(
                startQueue,
                mailbox,
                idleTimeout,
                newStartBackoff,
                newMaxStartBackoff,
                disposal,
                rideOut,
                keepAliveCap,
                allowPark,
                principalRequired);
    }

    /**
     * The same with other bounds of a disposal, and another way to ride it out.
     *
     * @throws IllegalArgumentException when a rider would give up before a disposal is forced
     */
    public HubOptions withDisposal(DisposalBounds newDisposal, RideOutPolicy newRideOut) {
        return new HubOptions(
                startQueue,
                mailbox,
                idleTimeout,
                startBackoff,
                maxStartBackoff,
                newDisposal,
                newRideOut,
                keepAliveCap,
                allowPark,
                principalRequired);
    }

    /** The same with another cap of one {@link HubContext#keepAlive}. */
    public HubOptions withKeepAliveCap(Duration newKeepAliveCap) {
        return new HubOptions(
                startQueue,
                mailbox,
                idleTimeout,
                startBackoff,
                maxStartBackoff,
                disposal,
                rideOut,
                newKeepAliveCap,
                allowPark,
                principalRequired);
    }

    /** The same, with addresses that can be parked, or not. */
    public HubOptions withAllowPark(boolean newAllowPark) {
        return new HubOptions(
                startQueue,
                mailbox,
                idleTimeout,
                startBackoff,
                maxStartBackoff,
                disposal,
                rideOut,
                keepAliveCap,
                newAllowPark,
                principalRequired);
    }

    /** The same, with messages without a principal refused, or not. */
    public HubOptions withPrincipalRequired(boolean newPrincipalRequired) {
        return new HubOptions(
                startQueue,
                mailbox,
                idleTimeout,
                startBackoff,
                maxStartBackoff,
                disposal,
                rideOut,
                keepAliveCap,
                allowPark,
                newPrincipalRequired);
    }
}
