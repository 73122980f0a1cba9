/** Tests of what the life of an activation is made of. */
@NullMarked
package io.meshhub.hub.life;

import org.jspecify.annotations.NullMarked;
