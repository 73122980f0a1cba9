/** Merges the answers of all providers into one live result; ends with an attributed failure when one stalls. */
@NullMarked
package io.meshhub.query;

import org.jspecify.annotations.NullMarked;
