/** The frames, the beats and the latch by which a subscriber and an owner keep a copy current. */
@NullMarked
package io.meshhub.sync.protocol;

import org.jspecify.annotations.NullMarked;
