package io.meshhub.it;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a process of a test tells the test that started it: whole lines on its standard output, which nothing else uses. */
public final class ToParent {

    private static final PrintStream LINES =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private ToParent() {}

    /** Tells one line. */
    public static void say(String line) {
        LINES.println(line);
    }
}
