package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import java.time.Duration;

/**
 * One activation as an operator sees it, at the moment of asking.
 *
 * @param address where it lives
 * @param activation which life it is
 * @param level how far it has come
 * @param mailboxDepth messages that wait or are in progress
 * @param unused the time since its last message
 */
public record ActivationInfo(
        MeshAddress address, ActivationId activation, RunLevel level, int mailboxDepth, Duration unused) {}
