/** The programs that the documentation shows, compiled and run. */
package io.meshhub.docs;
