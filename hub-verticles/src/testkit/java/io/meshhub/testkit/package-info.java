/**
 * The test kit: runs nodes of the mesh inside a JUnit 5 test, owns their time, lets their hubs hang and fail, and fails a
 * test that leaves something behind.
 *
 * <p>Everything begins with {@link io.meshhub.testkit.MeshExtension}.
 */
@NullMarked
package io.meshhub.testkit;

import org.jspecify.annotations.NullMarked;
