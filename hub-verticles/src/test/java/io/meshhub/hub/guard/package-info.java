/** Tests of the state machines that guard hubs from each other. */
@NullMarked
package io.meshhub.hub.guard;

import org.jspecify.annotations.NullMarked;
