package io.meshhub.hub;

/** A piece of a hub's code that the thread of a loop is in; read by other threads. */
interface Running {

    /** Whose code it is. */
    Activation owner();

    /** What it is, for people. */
    String what();

    /** Since when, on the clock. */
    long since();

    /** Code that is no handler of a message. */
    record Other(Activation owner, String what, long since) implements Running {}
}
