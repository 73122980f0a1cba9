/** What many messages share so that each costs little: turns on a loop, and one timer for all that wait. */
@NullMarked
package io.meshhub.routing.queues;

import org.jspecify.annotations.NullMarked;
