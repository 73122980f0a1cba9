/** Benchmarks of a cluster of processes; out of the normal build (profile {@code bench}). */
package io.meshhub.bench;
