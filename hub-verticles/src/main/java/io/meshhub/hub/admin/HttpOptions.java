package io.meshhub.hub.admin;

/**
 * Where the HTTP edge listens, and how large a body it takes.
 *
 * @param host the address of the interface
 * @param port the port, 0 to 65535; 0 takes any free one
 * @param maxBodyBytes the largest request body, in bytes; at least 1 KiB
 */
public record HttpOptions(String host, int port, int maxBodyBytes) {

    /** The interface where nothing is set: this machine only. */
    public static final String DEFAULT_HOST = "127.0.0.1";

    /** The port where nothing is set: 8080. */
    public static final int DEFAULT_PORT = 8080;

    /** The largest request body where nothing is set: 1 MiB. */
    public static final int DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

    /** The smallest bound that can be set for a request body: 1 KiB. */
    public static final int MIN_MAX_BODY_BYTES = 1024;

    public HttpOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host = '" + host + "' must not be blank");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port = " + port + " must be between 0 and 65535");
        }
        if (maxBodyBytes < MIN_MAX_BODY_BYTES) {
            throw new IllegalArgumentException("maxBodyBytes = " + maxBodyBytes + " must be >= " + MIN_MAX_BODY_BYTES);
        }
    }

    /** The options where nothing is set. */
    public static HttpOptions ofDefaults() {
        return new HttpOptions(DEFAULT_HOST, DEFAULT_PORT, DEFAULT_MAX_BODY_BYTES);
    }

    /** The same, on another port. */
    public HttpOptions withPort(int newPort) {
        return new HttpOptions(host, newPort, maxBodyBytes);
    }
}
