package dev.parley.face.docs;

import java.util.regex.Pattern;

/** HTML under construction. Text from the document is added by {@link #escape} or {@link #prose}, never unescaped. */
final class Markup {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final StringBuilder text = new StringBuilder();

    /** Adds markup with escaped values filled in. */
    Markup add(String markup, String... values) {
        int from = 0;
        for (String value : values) {
            int at = markup.indexOf("{}", from);
            text.append(markup, from, at).append(escape(value));
            from = at + 2;
        }
        text.append(markup, from, markup.length());
        return this;
    }

    /** Adds text in which backticks mark code. */
    Markup prose(String prose) {
        text.append(CODE.matcher(escape(prose)).replaceAll("<code>$1</code>"));
        return this;
    }

    /** Adds paragraphs separated by empty lines. */
    Markup paragraphs(String prose) {
        for (String paragraph : prose.strip().split("\\n\\s*\\n")) {
            add("<p>").prose(paragraph).add("</p>\n");
        }
        return this;
    }

    static String escape(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
