/** Whether something exists, read through the query fan-in by those who would rather go on than wait for a silent provider. */
@NullMarked
package io.meshhub.hub.access.existence;

import org.jspecify.annotations.NullMarked;
