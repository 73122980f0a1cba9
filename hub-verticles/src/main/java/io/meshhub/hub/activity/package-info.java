/**
 * Activities: long work that has an address of its own, where its progress is followed, where it is asked to stop, and
 * which sees to it that one at a time does it. The work itself is done by whoever began it, such as an import.
 *
 * <p>{@link io.meshhub.hub.activity.Activities#type} registers the hub type. What happens is decided by {@link
 * io.meshhub.hub.activity.Activity}, which knows no store and no clock.
 */
@NullMarked
package io.meshhub.hub.activity;

import org.jspecify.annotations.NullMarked;
