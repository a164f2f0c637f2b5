package dev.parley.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics and labels in an expression of PromQL. */
record Query(String text) {
    private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*(\\{[^}]*})?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)\\s*(?:=~|!~|!=|=)");
    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    /** A metric of the expression, with its labels. */
    record Selected(String metric, Set<String> labels) {}

    List<Selected> selected() {
        String plain = STRING.matcher(text)
                .replaceAll("\"\"")
                .replaceAll("\\[[^]]*]", "")
                .replaceAll("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)", "");
        List<Selected> found = new ArrayList<>();
        Matcher each = SELECTOR.matcher(plain);
        while (each.find()) {
            boolean called = plain.substring(each.end()).stripLeading().startsWith("(");
            if (!called && !WORDS.contains(each.group(1)) && !isPartOfNumber(plain, each.start())) {
                found.add(new Selected(each.group(1), labels(each.group(2) == null ? "" : each.group(2))));
            }
        }
        return found;
    }

    private static boolean isPartOfNumber(String plain, int start) {
        return start > 0 && Character.isDigit(plain.charAt(start - 1));
    }

    private static Set<String> labels(String selector) {
        return Set.copyOf(LABEL.matcher(selector)
                .results()
                .map(label -> label.group(1))
                .distinct()
                .toList());
    }
}
