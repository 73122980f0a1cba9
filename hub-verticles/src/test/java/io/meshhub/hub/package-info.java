/** Tests of the hub runtime, against a fake router, a time of their own and one process. */
@NullMarked
package io.meshhub.hub;

import org.jspecify.annotations.NullMarked;
