package io.meshhub.hub.admin;

import java.util.HashMap;
import java.util.Map;

/** How many event streams are open, in all and for each client, by its address; safe from any thread. */
final class OpenStreams {

    private final int most;
    private final int mostOfOne;
    private final Map<String, Integer> byClient = new HashMap<>();
    private int open;

    /**
     * None yet.
     *
     * @param most the most in all
     * @param mostOfOne the most of one client
     */
    OpenStreams(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    /**
     * Opens one.
     *
     * @throws Problem when there are as many as there may be; nothing is counted then
     */
    synchronized void open(String client) {
        int own = byClient.getOrDefault(client, 0);
        if (own >= mostOfOne) {
            throw Problem.tooManyStreamsOfOne(own);
        }
        if (open >= most) {
            throw Problem.tooManyStreams(open);
        }
        byClient.put(client, own + 1);
        open++;
    }

    /** Closes one that was opened. */
    synchronized void close(String client) {
        open--;
        byClient.computeIfPresent(client, (same, own) -> own == 1 ? null : own - 1);
    }

    /** How many clients have one open. */
    synchronized int clients() {
        return byClient.size();
    }
}
