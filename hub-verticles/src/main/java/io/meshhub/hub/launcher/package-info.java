/**
 * The process: its settings, its command line, and its life from the first flag to the exit code.
 *
 * <p>What a node is made of is behind {@link io.meshhub.hub.launcher.MeshNode}.
 */
@NullMarked
package io.meshhub.hub.launcher;

import org.jspecify.annotations.NullMarked;
