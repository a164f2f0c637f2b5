package dev.parley.app.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads flags of the forms {@code --name value} and {@code --name=value}. If a flag is repeated, the last value counts.
 */
final class FlagSource {
    private FlagSource() {}

    static Map<String, GivenSettings.Entry> read(List<String> arguments) {
        Map<String, GivenSettings.Entry> entries = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("--")) {
                throw new ConfigException("The argument \"" + argument
                        + "\" belongs to no flag: settings are given as --name value or --name=value.");
            }
            int equals = argument.indexOf('=');
            String name = argument.substring(2, equals < 0 ? argument.length() : equals);
            if (Settings.find(name) == null) {
                throw new ConfigException(
                        "There is no flag --" + name + "; did you mean --" + Settings.nearest(name) + "?");
            }
            String text;
            if (equals >= 0) {
                text = argument.substring(equals + 1);
            } else if (i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("--")) {
                text = arguments.get(++i);
            } else {
                throw new ConfigException("The flag --" + name + " needs a value: --" + name + " VALUE.");
            }
            entries.put(name, new GivenSettings.Entry(text, Origin.FLAG, "the flag --" + name));
        }
        return entries;
    }
}
