package dev.parley.agents;

import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What becomes of a run when the client that asked for it is gone. */
public enum DisconnectPolicy {
    /** It goes on; whoever comes back finds it. */
    CONTINUE,
    /** It is cancelled, as soon as nobody follows it. */
    CANCEL;

    /** The member of an agent's configuration that says so for its runs. */
    public static final String KEY = "on_disconnect";

    public static Optional<DisconnectPolicy> of(JsonNode config) {
        return parse(config.path(KEY).asString(""));
    }

    public static Optional<DisconnectPolicy> parse(String text) {
        for (DisconnectPolicy policy : values()) {
            if (policy.toString().equals(text)) {
                return Optional.of(policy);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
