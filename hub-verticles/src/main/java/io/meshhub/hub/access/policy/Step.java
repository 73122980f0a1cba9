package io.meshhub.hub.access.policy;

import org.jspecify.annotations.Nullable;

/**
 * One rule that was looked at on the way to a decision.
 *
 * @param place where it holds, such as {@code scope acme/x}
 * @param origin the node that it was read from; null where it is of no node
 * @param rule what it says
 * @param finding whether it applies, and what is in the way where that is not known
 */
record Step(String place, @Nullable Origin origin, String rule, String finding) {}
