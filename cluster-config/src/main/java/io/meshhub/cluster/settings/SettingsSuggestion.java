package io.meshhub.cluster.settings;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the key that was probably meant by one that does not exist. */
final class SettingsSuggestion {

    private SettingsSuggestion() {}

    /** The nearest known key, if one is near. */
    static Optional<String> nearest(String unknown, Collection<String> known) {
        String best = "";
        int least = Integer.MAX_VALUE;
        for (String key : known) {
            int distance = distance(squeezed(unknown), squeezed(key));
            if (distance < least) {
                least = distance;
                best = key;
            }
        }
        if (least <= Math.max(2, unknown.length() / 4)) {
            return Optional.of(best);
        }
        String last = unknown.substring(unknown.lastIndexOf('.') + 1);
        return known.stream().filter(key -> key.endsWith("." + last)).findFirst();
    }

    // Dots, dashes and case are what people mix up first: they count for nothing.
    private static String squeezed(String key) {
        return key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** Edits (insert, delete, replace, swap of neighbours) between two texts. */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(replaced, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
