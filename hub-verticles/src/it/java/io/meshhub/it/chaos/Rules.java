package io.meshhub.it.chaos;

import java.time.Duration;

/**
 * What a run is held to.
 *
 * @param oneActivation whether an address has one activation at any time; not where the quorum is 1 and nodes are cut off
 *     or frozen for long
 * @param slack how much later than its deadline the end of a request may be seen
 * @param calmAfter how long after a fault its effects are excused
 * @param healedAt when all was healed; what is asked later must be answered
 */
record Rules(boolean oneActivation, Duration slack, Duration calmAfter, long healedAt) {}
