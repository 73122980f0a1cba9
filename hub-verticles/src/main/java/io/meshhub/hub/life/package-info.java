/**
 * What the life of an activation is made of and needs no hub: its state machine, its ids and bounds, the calls that it has
 * under way, and what is told to people about it.
 */
@NullMarked
package io.meshhub.hub.life;

import org.jspecify.annotations.NullMarked;
