package io.meshhub.hub.life;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a disposal that had to be forced, for people.
 *
 * @param address the hub
 * @param activation which life of it
 * @param node where it was hosted
 * @param reason why it ended
 * @param phase in which it was stuck
 * @param age of the disposal
 * @param message the type of the message that has been in progress longest; null when none is
 * @param messageAge for how long
 * @param mailbox messages that waited or were in progress
 * @param calls requests of the hub itself that were under way
 * @param hosted the addresses of hosted hubs that had not ended
 */
public record StuckReport(
        MeshAddress address,
        ActivationId activation,
        String node,
        String reason,
        HubLife.Phase phase,
        Duration age,
        @Nullable String message,
        @Nullable Duration messageAge,
        int mailbox,
        int calls,
        List<MeshAddress> hosted) {

    // More would fill the log and help nobody.
    private static final int NAMED = 10;

    /** One line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Disposal of hub ").append(address);
        text.append(" is forced after ").append(age.toMillis()).append(" ms: stuck in ");
        text.append(phase)
                .append(" (reason=")
                .append(reason)
                .append(", ")
                .append(activation)
                .append(", node=")
                .append(node);
        text.append(", message in progress=");
        if (message == null || messageAge == null) {
            text.append("none");
        } else {
            text.append('\'').append(message).append("' for ");
            text.append(messageAge.toMillis()).append(" ms");
        }
        text.append(", mailbox=").append(mailbox);
        text.append(", own requests=").append(calls);
        text.append(", hosted hubs not ended=");
        if (hosted.isEmpty()) {
            return text.append("none)").toString();
        }
        text.append(hosted.size()).append(' ');
        text.append(hosted.subList(0, Math.min(NAMED, hosted.size())));
        return text.append(')').toString();
    }
}
