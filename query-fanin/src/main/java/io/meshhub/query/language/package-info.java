/**
 * The query language: text is parsed into an immutable query, which says of a node whether it matches, how well, and
 * where it stands among others.
 *
 * <p>All of it is pure. A store that translates conditions into a language of its own must agree with {@link
 * io.meshhub.query.language.Query#matches} and {@link io.meshhub.query.language.Query#order}.
 */
@NullMarked
package io.meshhub.query.language;

import org.jspecify.annotations.NullMarked;
