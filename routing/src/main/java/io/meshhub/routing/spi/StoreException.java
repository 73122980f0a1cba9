package io.meshhub.routing.spi;

import org.jspecify.annotations.Nullable;

/** The store could not be asked, or could not do what it was asked. */
public class StoreException extends RuntimeException {

    /** Says what failed, and why. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
