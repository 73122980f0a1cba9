/**
 * The query providers of a node: its store, its live activations, and nodes from a file.
 *
 * <p>Nothing here decides what a query means: providers answer with the nodes that {@link
 * io.meshhub.query.language.Query} says match, and the {@link io.meshhub.query.QueryFanIn} makes one result of them.
 */
@NullMarked
package io.meshhub.hub.query;

import org.jspecify.annotations.NullMarked;
