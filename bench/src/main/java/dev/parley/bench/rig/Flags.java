package dev.parley.bench.rig;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The flags of one command, each a name and a value. The lines of the help name the flags and their defaults. A default
 * is the word after the name. If that word is in capitals, the default is in brackets at the end of the line. An
 * unknown flag is refused.
 */
public final class Flags {
    private static final Pattern LINE =
            Pattern.compile("(?m)^ *--(?<name>[a-z-]+) +(?:[A-Z]+ .*?(?:\\((?<last>\\S+)\\))?|(?<value>\\S+).*)$");

    private final List<String> arguments;
    private final Map<String, String> defaults;
    private final Map<String, String> given = new HashMap<>();

    private Flags(List<String> arguments, Map<String, String> defaults) {
        this.arguments = List.copyOf(arguments);
        this.defaults = defaults;
    }

    public static Flags parse(List<String> arguments, String help) {
        Map<String, String> defaults = new TreeMap<>();
        LINE.matcher(help).results().forEach(line -> defaults.put(line.group("name"), value(line)));
        Flags flags = new Flags(arguments, defaults);
        for (int i = 0; i < arguments.size(); i += 2) {
            String flag = arguments.get(i);
            if (!flag.startsWith("--") || !defaults.containsKey(flag.substring(2))) {
                throw new UsageException(
                        "There is no flag " + flag + "; there are --" + String.join(", --", defaults.keySet()) + ".");
            }
            if (i + 1 == arguments.size()) {
                throw new UsageException("The flag " + flag + " needs a value.");
            }
            flags.given.put(flag.substring(2), arguments.get(i + 1));
        }
        return flags;
    }

    private static String value(MatchResult line) {
        String value = line.group("value");
        String last = line.group("last");
        return value != null ? value : last != null ? last : "";
    }

    public boolean given(String name) {
        return given.containsKey(name);
    }

    public String text(String name) {
        String value = given.containsKey(name) ? given.get(name) : defaults.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The help does not name --" + name);
        }
        return value;
    }

    public int number(String name, int least, int most) {
        return parse(name, text(name), least, most);
    }

    /** A number whose default depends on something else. */
    public int number(String name, int fallback, int least, int most) {
        return given(name) ? number(name, least, most) : fallback;
    }

    /** A whole number of seconds, such as {@code 4s} or {@code 4}. */
    public Duration seconds(String name, int least, int most) {
        String text = text(name);
        return Duration.ofSeconds(
                parse(name, text.endsWith("s") ? text.substring(0, text.length() - 1) : text, least, most));
    }

    public Duration minutes(String name, int least, int most) {
        return Duration.ofMinutes(number(name, least, most));
    }

    /** Several numbers, separated by commas. */
    public List<Integer> numbers(String name, int least, int most) {
        List<Integer> numbers = new ArrayList<>();
        for (String each : text(name).split(",", -1)) {
            numbers.add(parse(name, each, least, most));
        }
        return List.copyOf(numbers);
    }

    public boolean on(String name) {
        return switch (text(name)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new UsageException("--" + name + " is either on or off.");
        };
    }

    public Path path(String name) {
        try {
            return Path.of(text(name)).toAbsolutePath();
        } catch (InvalidPathException wrong) {
            throw new UsageException("--" + name + " is not a path: " + wrong.getMessage());
        }
    }

    /** The seed of a proof. */
    public int seed() {
        return number("seed", 0, Integer.MAX_VALUE);
    }

    private static int parse(String name, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text.replace("_", ""));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // The message below names the bounds, too.
        }
        throw new UsageException(
                "--%s is \"%s\", but a whole number from %d to %d is expected.".formatted(name, text, least, most));
    }

    /** The arguments as they were given. */
    @Override
    public String toString() {
        return String.join(" ", arguments);
    }
}
