package dev.parley.platforms.slack;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes Slack's texts into the typed texts, and encodes outgoing texts (<a
 * href="https://docs.slack.dev/messaging/formatting-message-text">Slack: formatting message text</a>). Decoding depends
 * on the text alone, so the same message always has the same content. {@code <@U…>} stays, since names change and the
 * id can be mentioned in an answer. docs/use/slack.md lists the rules.
 */
final class SlackText {
    private static final Pattern MARKED = Pattern.compile("<([^<>\n]*)>|&(amp|lt|gt);");
    private static final Pattern MENTION = Pattern.compile("<@([UWB][A-Z0-9]{1,30})(?:\\|[^<>\n]*)?>");
    private static final Pattern OUTGOING = Pattern.compile("<@[UW][A-Z0-9]{1,30}>|[&<>]");

    private SlackText() {}

    /** The typed text. It is decoded in one pass, so that an escape that a person typed is not decoded twice. */
    static String decode(String wire) {
        return MARKED.matcher(wire)
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(1) == null ? entity(match.group(2)) : token(match.group(1), match.group())));
    }

    private static String entity(String name) {
        return switch (name) {
            case "amp" -> "&";
            case "lt" -> "<";
            default -> ">";
        };
    }

    /** @param whole the token with its brackets */
    private static String token(String content, String whole) {
        int bar = content.indexOf('|');
        String target = entities(bar < 0 ? content : content.substring(0, bar));
        String label = entities(bar < 0 ? "" : content.substring(bar + 1));
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

    /** A link. Slack turns typed addresses into links; such an address equals its label except for the scheme. */
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

    /** The ids of the users that a text mentions, in order, each once. */
    static List<String> mentioned(String wire) {
        Set<String> ids = new LinkedHashSet<>();
        Matcher mentions = MENTION.matcher(wire);
        while (mentions.find()) {
            ids.add(mentions.group(1));
        }
        return new ArrayList<>(ids);
    }

    /** Encodes a text so that Slack shows it literally. Only tokens that mention users keep their effect. */
    static String encode(String text) {
        return OUTGOING.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(
                        switch (match.group()) {
                            case "&" -> "&amp;";
                            case "<" -> "&lt;";
                            case ">" -> "&gt;";
                            default -> match.group();
                        }));
    }
}
