/**
 * The edge of a node towards HTTP: the gateway to addresses, queries, health, metrics and the operators' calls.
 *
 * <p>Nothing here decides anything about an address. Requests become messages through {@link io.meshhub.routing.Mesh},
 * listings come from the {@link io.meshhub.routing.spi.NodeStore}, and every error is a problem document (RFC 9457).
 */
@NullMarked
package io.meshhub.hub.admin;

import org.jspecify.annotations.NullMarked;
