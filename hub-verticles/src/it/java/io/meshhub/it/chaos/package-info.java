/** The fault harness: nodes in processes of their own that are killed, frozen and cut off under load, and the check of what their callers saw. */
@org.jspecify.annotations.NullMarked
package io.meshhub.it.chaos;
