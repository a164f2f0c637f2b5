package dev.parley.assembly;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the tokens by which an agent mentions a sender on a platform. A token is shown only if it has the form of its
 * source and names the sender: otherwise a sender could make agents mention others, or write its own lines into a
 * header.
 */
final class MentionTokens {
    private static final Map<String, Pattern> BY_SOURCE = Map.of(
            "slack", Pattern.compile("<@([A-Z0-9]{1,32})>"),
            "discord", Pattern.compile("<@!?([0-9]{1,32})>"));

    private MentionTokens() {}

    /** @param senderId the sender's id, with the prefix of its source */
    static Optional<String> legal(String token, String source, String senderId) {
        Pattern pattern = BY_SOURCE.get(source);
        if (pattern == null) {
            return Optional.empty();
        }
        Matcher matcher = pattern.matcher(token);
        return matcher.matches() && senderId.equals(source + ":" + matcher.group(1))
                ? Optional.of(token)
                : Optional.empty();
    }
}
