package io.meshhub.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;

/** A flight recording of one process: where its threads are every 5 ms, and what they allocate. One at a time. */
final class Profile {

    private static final Duration PERIOD = Duration.ofMillis(5);
    // Of the loop of the consumer that obeys alone.
    private static Recording recording = new Recording();

    private Profile() {}

    /** Obeys {@code {"profile":"start"}} and {@code {"profile":FILE}}, which stops and writes. */
    static void obey(JsonObject order) {
        String what = order.getString("profile");
        if (what.equals("start")) {
            recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
            recording.enable("jdk.ObjectAllocationSample").withStackTrace();
            recording.start();
        } else {
            recording.stop();
            try {
                recording.dump(Path.of(what));
            } catch (IOException e) {
                throw new IllegalStateException("the recording was not written to " + what, e);
            }
            recording.close();
            recording = new Recording();
        }
    }
}
