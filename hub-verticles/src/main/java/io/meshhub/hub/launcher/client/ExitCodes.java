package io.meshhub.hub.launcher.client;

import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of the command line; scripts rely on them. */
public final class ExitCodes {

    /** It was done. */
    public static final int OK = 0;

    /** It failed, or only a part was done. */
    public static final int FAILED = 1;

    /** The command line itself is wrong; nothing was tried. */
    public static final int USAGE = 2;

    /** The address was asked for and does not exist. */
    public static final int NOT_FOUND = 3;

    /** Nothing was executed for now: the node, the shard or the hub is unavailable, recycling or overloaded. */
    public static final int UNAVAILABLE = 4;

    /** A stall or a deadline ended it; the outcome is unknown. */
    public static final int STALLED = 5;

    /** The settings are wrong; nothing was started. */
    public static final int CONFIGURATION = 78;

    private ExitCodes() {}

    /** The codes and their meaning, as the help lists them. */
    public static Map<String, String> help() {
        Map<String, String> help = new LinkedHashMap<>();
        help.put("" + OK, "done");
        help.put("" + FAILED, "failed, or done only in part");
        help.put("" + USAGE, "wrong command line; nothing was tried");
        help.put("" + NOT_FOUND, "no such address");
        help.put("" + UNAVAILABLE, "unavailable, recycling or overloaded; nothing was executed, ask again");
        help.put("" + STALLED, "ended by a stall or a deadline; the outcome is unknown");
        help.put("" + CONFIGURATION, "wrong settings; nothing was started");
        return help;
    }

    /** The code for an HTTP status that is no success. */
    static int ofStatus(int status) {
        return switch (status) {
            case 404 -> NOT_FOUND;
            case 429, 503 -> UNAVAILABLE;
            case 504 -> STALLED;
            default -> FAILED;
        };
    }
}
