package dev.parley.app.cli;

import dev.parley.app.config.ConfigException;
import dev.parley.archive.Progress;
import java.io.Console;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The arguments of a command that has flags of its own beside the settings of {@code serve}.
 *
 * @param values the values of the command's own flags; empty text for a switch
 * @param settings all other arguments
 */
record CommandLine(Map<String, String> values, List<String> settings) {
    /**
     * @param flags the flags with a value
     * @param switches the flags without a value
     */
    static CommandLine read(List<String> arguments, Set<String> flags, Set<String> switches) {
        Map<String, String> values = new HashMap<>();
        List<String> settings = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (switches.contains(argument)) {
                values.put(argument, "");
            } else if (!flags.contains(name)) {
                settings.add(argument);
            } else if (equals >= 0) {
                values.put(name, argument.substring(equals + 1));
            } else if (i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("--")) {
                values.put(name, arguments.get(++i));
            } else {
                throw new ConfigException("The flag " + name + " needs a value.");
            }
        }
        return new CommandLine(values, settings);
    }

    static boolean asksForHelp(List<String> arguments) {
        return arguments.contains("--help") || arguments.contains("-h");
    }

    Optional<String> value(String flag) {
        return Optional.ofNullable(values.get(flag)).filter(value -> !value.isBlank());
    }

    boolean has(String flag) {
        return values.containsKey(flag);
    }

    /** Shows progress. Only a terminal gets one changing line, because programs cannot read such a line. */
    static Progress progress() {
        // A JVM may have no console, or one that is not a terminal.
        return new Progress(
                System.out,
                Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent());
    }
}
