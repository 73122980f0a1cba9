/** Tests of several real processes, and what starts, watches and ends those processes. */
package io.meshhub.it;
