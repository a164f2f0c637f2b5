package dev.parley.http;

import java.util.ArrayList;
import java.util.List;

/** Reads path templates such as {@code /a/{x}/b} and {@code /files/{path...}}. */
final class PathTemplate {
    private static final String REST = "...}";

    private PathTemplate() {}

    static List<String> segments(String template) {
        return template.equals("/") ? List.of() : List.of(template.substring(1).split("/", -1));
    }

    static boolean isParameter(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    static boolean isRest(String segment) {
        return isParameter(segment) && segment.endsWith(REST);
    }

    static List<String> parameters(String template) {
        List<String> names = new ArrayList<>();
        for (String segment : segments(template)) {
            if (isRest(segment)) {
                names.add(segment.substring(1, segment.length() - REST.length()));
            } else if (isParameter(segment)) {
                names.add(segment.substring(1, segment.length() - 1));
            }
        }
        return List.copyOf(names);
    }
}
