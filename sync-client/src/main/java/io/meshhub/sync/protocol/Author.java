package io.meshhub.sync.protocol;

/**
 * Who made a change: a stream, and the number of its write. That stream is told that its write stands, and does not get
 * it back.
 *
 * @param stream the id of the stream that wrote
 * @param write the number of the write, by its stream
 */
public record Author(String stream, long write) {}
