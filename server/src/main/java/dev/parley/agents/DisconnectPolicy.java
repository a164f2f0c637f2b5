package dev.parley.agents;

import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The fate of a run after its client has disconnected. */
public enum DisconnectPolicy {
    /** The run continues, and a returning client finds it. */
    CONTINUE,
    /** The run is cancelled as soon as no client follows it. */
    CANCEL;

    /** The field of an agent's configuration that sets the policy for the agent's runs. */
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
