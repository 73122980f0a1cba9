/**
 * What keeps one hub from harming the others: floods of one kind of message and blocked loops, told from numbers alone,
 * without a clock and without Vert.x.
 */
@NullMarked
package io.meshhub.hub.guard;

import org.jspecify.annotations.NullMarked;
