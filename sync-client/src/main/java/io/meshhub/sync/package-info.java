/** Keeps a subscriber's copy of an address current. */
@NullMarked
package io.meshhub.sync;

import org.jspecify.annotations.NullMarked;
