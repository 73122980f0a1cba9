/**
 * What a node adds to the query fan-in: its deployment, the address {@code mesh.query} for peers on the event bus, and
 * the JSON of results.
 */
@NullMarked
package io.meshhub.hub.asking;

import org.jspecify.annotations.NullMarked;
