package dev.parley.ingest;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members of an object that mean something here, and of which kind each is. All others are kept as they come; but one
 * that looks like a missing member in another spelling is named in its refusal.
 */
public final class KnownKeys {
    /** What a member may be. */
    public enum Kind {
        TEXT("must be a string"),
        TRUTH("must be true or false"),
        OBJECT("must be an object"),
        OBJECTS("must be a list of objects");

        private final String sentence;

        Kind(String sentence) {
            this.sentence = sentence;
        }

        private boolean fits(JsonNode value) {
            return switch (this) {
                case TEXT -> value.isString();
                case TRUTH -> value.isBoolean();
                case OBJECT -> value.isObject();
                case OBJECTS -> value.isArray() && value.valueStream().allMatch(JsonNode::isObject);
            };
        }
    }

    /** A longer way than this is no typing mistake. */
    private static final int TYPING_MISTAKES = 3;
    /** Comparing takes the product of both lengths, and nobody types so much by mistake. */
    private static final int MAX_LENGTH = 64;

    private final String prefix;
    private final Map<String, Kind> kinds;
    private final List<String> required;

    /** @param prefix what stands before a member's name in a refusal */
    public KnownKeys(String prefix, Map<String, Kind> kinds, List<String> required) {
        this.prefix = prefix;
        this.kinds = new LinkedHashMap<>(kinds);
        this.required = List.copyOf(required);
    }

    public boolean contains(String name) {
        return kinds.containsKey(name);
    }

    /** What is missing or of the wrong kind; null counts as absent. */
    public List<FieldError> faults(ObjectNode given) {
        List<FieldError> faults = new ArrayList<>();
        for (String name : required) {
            if (given.path(name).isMissingNode() || given.path(name).isNull()) {
                faults.add(new FieldError(prefix + name, "is required" + hint(given, name)));
            }
        }
        kinds.forEach((name, kind) -> {
            JsonNode value = given.path(name);
            if (!value.isMissingNode() && !value.isNull() && !kind.fits(value)) {
                faults.add(new FieldError(prefix + name, kind.sentence));
            }
        });
        return faults;
    }

    private String hint(ObjectNode given, String missing) {
        return mistyped(given, missing)
                .map(typed -> "; " + typed + " is not known here, did you mean " + missing + "?")
                .orElse("");
    }

    private Optional<String> mistyped(ObjectNode given, String missing) {
        return given.propertyNames().stream()
                .filter(name -> !contains(name) && name.length() <= MAX_LENGTH)
                .filter(name -> isFor(missing, name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    private boolean isFor(String missing, String typed) {
        return Nearest.of(typed, kinds.keySet()).equals(missing) && Nearest.distance(typed, missing) <= TYPING_MISTAKES;
    }
}
