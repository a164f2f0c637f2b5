package dev.parley.outbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with references to secrets, such as {@code Bearer ${secret:AGNO_TOKEN}}. Only this template is stored and
 * shown.
 */
public record SecretText(String template) {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{secret:([A-Za-z][A-Za-z0-9_-]{0,63})}");

    /** Length below which a secret is not masked, because a short secret would also match ordinary words. */
    private static final int MIN_HIDDEN_LENGTH = 6;

    /** True if every dollar sign with a brace begins a reference to a secret. */
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

    /** The text with its secrets, which must never be shown; empty if a secret does not exist. */
    public Optional<String> reveal(Secrets secrets) {
        if (!names().stream().allMatch(secrets::has)) {
            return Optional.empty();
        }
        return Optional.of(REFERENCE
                .matcher(template)
                .replaceAll(match ->
                        Matcher.quoteReplacement(secrets.reveal(match.group(1)).orElse(""))));
    }

    /** The given text with a mask in place of each secret. */
    public String hide(String text, Secrets secrets) {
        String hidden = text;
        for (String name : names()) {
            String secret = secrets.reveal(name).orElse("");
            hidden = secret.length() < MIN_HIDDEN_LENGTH ? hidden : hidden.replace(secret, "****");
        }
        return hidden;
    }
}
