/**
 * The router: brings each message to the one live activation of its address, or answers with a typed failure.
 */
@NullMarked
package io.meshhub.routing.router;

import org.jspecify.annotations.NullMarked;
