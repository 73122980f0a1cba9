/** The soak of streams: nodes in processes of their own that are killed, frozen and written to, and the check of what their streams said meanwhile. */
@org.jspecify.annotations.NullMarked
package io.meshhub.it.soak;
