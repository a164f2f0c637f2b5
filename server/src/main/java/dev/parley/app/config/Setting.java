package dev.parley.app.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One setting. The flag, the environment name and the YAML key are derived from its name. */
record Setting<T>(String name, ValueType<T> type, @Nullable String fallback, String meaning) {
    static final String ENVIRONMENT_PREFIX = "PARLEY_";

    String flag() {
        return "--" + name;
    }

    String environmentName() {
        return ENVIRONMENT_PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** The name of the setting that an environment name stands for. */
    static String nameOf(String environmentName) {
        return environmentName
                .substring(ENVIRONMENT_PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '-');
    }

    /** Parses a text given for this setting; an error names the location. */
    T read(String text, String location) {
        return type.parse().apply(text).orElseThrow(() -> new ConfigException(complaint(text, location)));
    }

    private String complaint(String text, String location) {
        String problem = type.confidential() ? "cannot be used as it is" : "cannot be \"" + text + "\"";
        return "The setting " + name + " (given by " + location + ") " + problem + ": " + type.expected()
                + " is expected.";
    }
}
