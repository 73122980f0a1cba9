package io.meshhub.routing;

/**
 * A reply, and who gave it.
 *
 * @param body what it says
 * @param activation the activation that replied
 * @param node the name of its node
 */
public record MeshReply(MeshBody body, ActivationId activation, String node) {}
