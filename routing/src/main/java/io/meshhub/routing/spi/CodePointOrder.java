package io.meshhub.routing.spi;

import java.util.Comparator;

/**
 * The order of paths and of other texts: by code point, which is that of their UTF-8 bytes and so of every store. {@link
 * String#compareTo} compares halves of surrogate pairs and puts the characters past U+FFFF before some below.
 */
public enum CodePointOrder implements Comparator<String> {
    /** The only one. */
    INSTANCE;

    @Override
    public int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean highX = Character.isSurrogate(x);
                boolean highY = Character.isSurrogate(y);
                return highX == highY ? Character.compare(x, y) : Boolean.compare(highX, highY);
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
