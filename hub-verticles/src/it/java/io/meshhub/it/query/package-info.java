/** Queries over real processes: providers that hang, fail, are killed, stand still and are cut off. */
@NullMarked
package io.meshhub.it.query;

import org.jspecify.annotations.NullMarked;
