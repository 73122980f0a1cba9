package io.meshhub.hub.store;

import java.util.Comparator;

/**
 * The order of paths: by code point, which is the order of their UTF-8 bytes and so that of the file. {@link
 * String#compareTo} compares halves of surrogate pairs and puts the characters past U+FFFF before some below.
 */
enum CodePointOrder implements Comparator<String> {
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
