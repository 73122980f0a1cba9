package io.meshhub.it.chaos;

/**
 * A promise that was not kept.
 *
 * @param kind which
 * @param text what was seen, for people
 */
record Violation(Kind kind, String text) {

    /** The promises. */
    enum Kind {
        /** A request ended past its deadline, or never. */
        NO_OUTCOME,
        /** A request ended with a failure that nothing in the run can explain. */
        WRONG_FAILURE,
        /** A request failed although nothing was broken at that time. */
        FAILED_WHILE_CALM,
        /** A handler was entered for a request whose caller was told that none was. */
        EXECUTED_ALTHOUGH_DENIED,
        /** A handler was entered more than once for one request. */
        EXECUTED_TWICE,
        /** A register said what no order of its operations can explain. */
        NOT_LINEARIZABLE,
        /** An acknowledged change is not there at the end. */
        ACKNOWLEDGED_LOST,
        /** A change is there of which its caller was told that it was not made, or is there twice. */
        CHANGE_UNEXPLAINED,
        /** Two activations of an address answered at the same time. */
        TWO_ACTIVATIONS,
        /** An activation was at work after a later one of its address had been. */
        SUPERSEDED_AT_WORK,
        /** Two answers of one activation carry the same count. */
        SAME_COUNT,
        /** An address did not answer after all was healed. */
        NOT_RECOVERED,
        /** A process did not end in good order within its bound. */
        NOT_STOPPED,
        /** A node ended that nobody had ended, or did not start although nothing was broken. */
        NODE_ENDED
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
