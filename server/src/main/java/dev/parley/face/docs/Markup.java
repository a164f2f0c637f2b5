package dev.parley.face.docs;

import java.util.regex.Pattern;

/** HTML as it grows. What comes from the document goes through {@link #escape} or {@link #prose}, never in as it is. */
final class Markup {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final StringBuilder text = new StringBuilder();

    /** Adds markup of our own, with values filled in that are escaped. */
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

    /** Adds paragraphs that empty lines part. */
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
