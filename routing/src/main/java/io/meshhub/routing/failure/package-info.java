/**
 * The failures: every way in which a message can end without a reply, each with a wire code and a remedy.
 *
 * <p>The family is sealed, so all leaves share this package. Callers switch on {@link
 * io.meshhub.routing.failure.Remedy}, never on class names or texts.
 */
@NullMarked
package io.meshhub.routing.failure;

import org.jspecify.annotations.NullMarked;
