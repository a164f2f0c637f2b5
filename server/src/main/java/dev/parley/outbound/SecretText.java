package dev.parley.outbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text with names of secrets in it, such as {@code Bearer ${secret:AGNO_TOKEN}}; this is what is stored and shown. */
public record SecretText(String template) {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{secret:([A-Za-z][A-Za-z0-9_-]{0,63})}");

    /** A shorter one would mask words of others everywhere. */
    private static final int MIN_HIDDEN_LENGTH = 6;

    /** Whether every dollar sign with a brace in it begins the name of a secret. */
    public boolean isWellFormed() {
        return !REFERENCE.matcher(template).replaceAll("").contains("${");
    }

    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (Matcher each = REFERENCE.matcher(template); each.find(); ) {
            names.add(each.group(1));
        }
        return names;
    }

    /** The text itself; empty if a secret is not there. Not for eyes. */
    public Optional<String> reveal(Secrets secrets) {
        if (!names().stream().allMatch(secrets::has)) {
            return Optional.empty();
        }
        return Optional.of(REFERENCE
                .matcher(template)
                .replaceAll(found ->
                        Matcher.quoteReplacement(secrets.reveal(found.group(1)).orElse(""))));
    }

    /** The same text with a mask wherever a secret stands in it. */
    public String hide(String text, Secrets secrets) {
        String hidden = text;
        for (String name : names()) {
            String secret = secrets.reveal(name).orElse("");
            hidden = secret.length() < MIN_HIDDEN_LENGTH ? hidden : hidden.replace(secret, "****");
        }
        return hidden;
    }
}
