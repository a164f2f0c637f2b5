package dev.parley.http;

import dev.parley.protocol.Split;
import java.util.ArrayList;
import java.util.List;

/** Reads path templates such as {@code /a/{x}/b} and {@code /files/{path...}}. */
final class PathTemplate {
    private static final String REST = "...}";

    private PathTemplate() {}

    static List<String> segments(String template) {
        return template.equals("/") ? List.of() : Split.at('/', template.substring(1));
    }

    static boolean isParameter(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    static boolean isRest(String segment) {
        return isParameter(segment) && segment.endsWith(REST);
    }

    /**
     * True if a path has the form of a template. The segments are compared as the path spells them, without decoding.
     */
    static boolean matches(String template, String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        List<String> wanted = segments(template);
        List<String> given = segments(path);
        boolean open = !wanted.isEmpty() && isRest(wanted.getLast());
        if (open ? given.size() < wanted.size() : given.size() != wanted.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (given.get(i).isEmpty()
                    || !isParameter(wanted.get(i)) && !wanted.get(i).equals(given.get(i))) {
                return false;
            }
        }
        return true;
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
