/**
 * The access model: roles, groups, assignments and policies that are nodes of the mesh, and the decisions that are
 * folded from them.
 */
@NullMarked
package io.meshhub.hub.access.policy;

import org.jspecify.annotations.NullMarked;
