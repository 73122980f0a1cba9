/**
 * The settings of a process: typed, validated, each with its origin, and all problems told at once.
 *
 * <p>The mechanism alone; which settings there are is said by whoever starts the process.
 */
@NullMarked
package io.meshhub.cluster.settings;

import org.jspecify.annotations.NullMarked;
