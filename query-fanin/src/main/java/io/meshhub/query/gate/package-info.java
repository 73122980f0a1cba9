/**
 * The decisions of a fan-in without a clock and without Vert.x: when a merged result has its beginning, and what is in
 * it.
 */
@NullMarked
package io.meshhub.query.gate;

import org.jspecify.annotations.NullMarked;
