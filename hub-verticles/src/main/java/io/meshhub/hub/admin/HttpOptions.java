package io.meshhub.hub.admin;

/**
 * Where the HTTP edge listens, how large a body it takes, and how many event streams it serves.
 *
 * @param host the address of the interface
 * @param port the port, 0 to 65535; 0 takes any free one
 * @param maxBodyBytes the largest request body, in bytes; at least 1 KiB
 * @param eventStreams the most event streams that are open at one time; at least 1
 * @param eventStreamsOfOne the most of them from one address, which all clients behind a proxy share; at least 1
 */
public record HttpOptions(String host, int port, int maxBodyBytes, int eventStreams, int eventStreamsOfOne) {

    /** The interface where nothing is set: this machine only. */
    public static final String DEFAULT_HOST = "127.0.0.1";

    /** The port where nothing is set: 8080. */
    public static final int DEFAULT_PORT = 8080;

    /** The largest request body where nothing is set: 1 MiB. */
    public static final int DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

    /** The most event streams where nothing is set: 1000. */
    public static final int DEFAULT_EVENT_STREAMS = 1000;

    /** The most event streams from one address where nothing is set: 100. */
    public static final int DEFAULT_EVENT_STREAMS_OF_ONE = 100;

    /** The smallest bound that can be set for a request body: 1 KiB. */
    public static final int MIN_MAX_BODY_BYTES = 1024;

    public HttpOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host = '" + host + "' must not be blank");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port = " + port + " must be between 0 and 65535");
        }
        if (eventStreams < 1 || eventStreamsOfOne < 1) {
            throw new IllegalArgumentException("eventStreams = " + eventStreams + " and eventStreamsOfOne = "
                    + eventStreamsOfOne + " must be >= 1");
        }
        if (maxBodyBytes < MIN_MAX_BODY_BYTES) {
            throw new IllegalArgumentException("maxBodyBytes = " + maxBodyBytes + " must be >= " + MIN_MAX_BODY_BYTES);
        }
    }

    /** The options where nothing is set. */
    public static HttpOptions ofDefaults() {
        return new HttpOptions(
                DEFAULT_HOST,
                DEFAULT_PORT,
                DEFAULT_MAX_BODY_BYTES,
                DEFAULT_EVENT_STREAMS,
                DEFAULT_EVENT_STREAMS_OF_ONE);
    }

    /** The same, on another port. */
    public HttpOptions withPort(int newPort) {
        return new HttpOptions(host, newPort, maxBodyBytes, eventStreams, eventStreamsOfOne);
    }

    /** The same, with another bound for request bodies. */
    public HttpOptions withMaxBodyBytes(int newMaxBodyBytes) {
        return new HttpOptions(host, port, newMaxBodyBytes, eventStreams, eventStreamsOfOne);
    }

    /** The same, with other bounds for event streams. */
    public HttpOptions withEventStreams(int newEventStreams, int newEventStreamsOfOne) {
        return new HttpOptions(host, port, maxBodyBytes, newEventStreams, newEventStreamsOfOne);
    }
}
