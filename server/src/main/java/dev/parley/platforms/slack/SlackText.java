package dev.parley.platforms.slack;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one decoding of Slack's text into what was typed, and the one encoding of ours. Decoding needs nothing but the text,
 * so the same message always has the same content; {@code <@U…>} stays, since names change and the id is what can be
 * mentioned back. The rules are listed in docs/use/slack.md.
 */
final class SlackText {
    private static final Pattern MARKED = Pattern.compile("<([^<>\n]*)>|&(amp|lt|gt);");
    private static final Pattern MENTION = Pattern.compile("<@([UWB][A-Z0-9]{1,30})(?:\\|[^<>\n]*)?>");
    private static final Pattern OUTGOING = Pattern.compile("<@[UW][A-Z0-9]{1,30}>|[&<>]");

    private SlackText() {}

    /** What was typed. One pass: an escaped escape is somebody's own words, and not decoded twice. */
    static String decode(String wire) {
        return MARKED.matcher(wire)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) == null ? entity(found.group(2)) : token(found.group(1), found.group())));
    }

    private static String entity(String name) {
        return switch (name) {
            case "amp" -> "&";
            case "lt" -> "<";
            default -> ">";
        };
    }

    /** @param whole with its brackets */
    private static String token(String inside, String whole) {
        int bar = inside.indexOf('|');
        String target = entities(bar < 0 ? inside : inside.substring(0, bar));
        String label = entities(bar < 0 ? "" : inside.substring(bar + 1));
        if (target.startsWith("@")) {
            return "<" + target + ">";
        }
        if (target.startsWith("#")) {
            return label.isEmpty() ? "<" + target + ">" : "#" + label;
        }
        if (target.startsWith("!")) {
            return special(target.substring(1), label);
        }
        return target.contains(":") ? link(target, label) : entities(whole);
    }

    private static String special(String target, String label) {
        return switch (target) {
            case "here", "channel", "everyone" -> "@" + target;
            default -> label.isEmpty() ? "<!" + target + ">" : label;
        };
    }

    /** Slack makes links of addresses that were typed without their scheme; those had no other label. */
    private static String link(String target, String label) {
        String address = target.startsWith("mailto:") || target.startsWith("tel:")
                ? target.substring(target.indexOf(':') + 1)
                : target;
        if (label.isEmpty()) {
            return address;
        }
        return address.equals(label)
                        || address.equals("http://" + label)
                        || address.equals("https://" + label)
                        || address.equals(label + "/")
                ? label
                : label + " (" + address + ")";
    }

    private static String entities(String text) {
        return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    /** The ids of those whom a text mentions, in order, each once. */
    static List<String> mentioned(String wire) {
        Set<String> ids = new LinkedHashSet<>();
        Matcher mentions = MENTION.matcher(wire);
        while (mentions.find()) {
            ids.add(mentions.group(1));
        }
        return new ArrayList<>(ids);
    }

    /** So that Slack shows the text and nothing of it works, except that people can be mentioned by their tokens. */
    static String encode(String text) {
        return OUTGOING.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        switch (found.group()) {
                            case "&" -> "&amp;";
                            case "<" -> "&lt;";
                            case ">" -> "&gt;";
                            default -> found.group();
                        }));
    }
}
