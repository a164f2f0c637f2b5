package dev.parley.app.config;

import dev.parley.outbound.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** A text that must not be printed. Therefore {@code toString} returns asterisks. */
public record Secret(String reveal) {
    static final String MASK = "****";

    public byte[] bytes() {
        return reveal.getBytes(StandardCharsets.UTF_8);
    }

    /** The secrets in the form that outgoing calls need. */
    public static Secrets revealed(Map<String, Secret> secrets) {
        return new Secrets(secrets.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().reveal())));
    }

    @Override
    public String toString() {
        return MASK;
    }
}
