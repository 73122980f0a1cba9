/** Query providers on other nodes: how they are announced, opened and missed, in plain JSON over the event bus. */
@NullMarked
package io.meshhub.query.remote;

import org.jspecify.annotations.NullMarked;
