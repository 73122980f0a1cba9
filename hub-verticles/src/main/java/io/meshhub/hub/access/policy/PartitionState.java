package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision.Undetermined;

/** What is known of the access model of one partition. That nothing is known yet is neither. */
sealed interface PartitionState {

    /** All providers have answered. */
    record Established(PartitionRows rows) implements PartitionState {}

    /** Who could tell did not, or the result could not be had. */
    record Unestablished(Undetermined why) implements PartitionState {}
}
