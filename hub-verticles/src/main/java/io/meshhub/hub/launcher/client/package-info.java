/**
 * The client commands: they talk to a node over HTTP, print for people or as JSON, and end with a documented exit code.
 *
 * <p>Nothing here knows how a node is made; the process and its settings are one package up.
 */
@NullMarked
package io.meshhub.hub.launcher.client;

import org.jspecify.annotations.NullMarked;
