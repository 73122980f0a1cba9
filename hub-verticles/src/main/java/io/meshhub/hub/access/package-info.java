/**
 * Who a message or a request is from, and what he may do: principals, how they prove who they are, and the gates in front
 * of hubs, of a node's operations and of its HTTP interface.
 */
@NullMarked
package io.meshhub.hub.access;

import org.jspecify.annotations.NullMarked;
