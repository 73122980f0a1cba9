/** The owner's side of sync: what a hub publishes of its state, and how those who follow it are kept current. */
@NullMarked
package io.meshhub.hub.sync;

import org.jspecify.annotations.NullMarked;
