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
 * The known fields of a JSON object, and their kinds. Unknown fields are stored unchanged. The refusal of a missing
 * field names an unknown field with a similar spelling.
 */
public final class KnownKeys {
    /** The kind of a field's value. */
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

    /** Largest edit distance of a typing mistake. */
    private static final int TYPING_MISTAKES = 3;
    /** Longest name to compare. The time of a comparison grows with the product of both lengths. */
    private static final int MAX_LENGTH = 64;

    private final String prefix;
    private final Map<String, Kind> kinds;
    private final List<String> required;

    /** @param prefix the text before a field's name in a refusal */
    public KnownKeys(String prefix, Map<String, Kind> kinds, List<String> required) {
        this.prefix = prefix;
        this.kinds = new LinkedHashMap<>(kinds);
        this.required = List.copyOf(required);
    }

    public boolean contains(String name) {
        return kinds.containsKey(name);
    }

    /** The errors for missing fields and for fields of a wrong kind; null counts as absent. */
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
