/** The identity directory: which principal an e-mail address or an id of somebody belongs to. */
@NullMarked
package io.meshhub.hub.access.directory;

import org.jspecify.annotations.NullMarked;
