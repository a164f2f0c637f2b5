package dev.parley.bench.rig;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The flags of one command, each a name and a value. A flag that nobody knows is refused, not ignored. */
public final class Flags {
    private final Map<String, String> values;

    private Flags(Map<String, String> values) {
        this.values = values;
    }

    public static Flags parse(List<String> arguments, Set<String> known) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String flag = arguments.get(i);
            if (!flag.startsWith("--") || !known.contains(flag.substring(2))) {
                throw new UsageException("There is no flag " + flag + "; there are --"
                        + String.join(", --", new TreeSet<>(known)) + ".");
            }
            if (i + 1 == arguments.size()) {
                throw new UsageException("The flag " + flag + " needs a value.");
            }
            values.put(flag.substring(2), arguments.get(i + 1));
        }
        return new Flags(values);
    }

    public boolean given(String name) {
        return values.containsKey(name);
    }

    public String text(String name, String fallback) {
        return values.getOrDefault(name, fallback);
    }

    public int number(String name, int fallback, int least, int most) {
        return values.containsKey(name) ? parse(name, values.getOrDefault(name, ""), least, most) : fallback;
    }

    /** A whole number of seconds, such as {@code 4s} or {@code 4}. */
    public Duration seconds(String name, int fallback, int least, int most) {
        String text = values.getOrDefault(name, Integer.toString(fallback));
        return Duration.ofSeconds(
                parse(name, text.endsWith("s") ? text.substring(0, text.length() - 1) : text, least, most));
    }

    /** Several numbers, separated by commas. */
    public List<Integer> numbers(String name, List<Integer> fallback, int least, int most) {
        if (!values.containsKey(name)) {
            return fallback;
        }
        List<Integer> numbers = new ArrayList<>();
        for (String each : values.getOrDefault(name, "").split(",", -1)) {
            numbers.add(parse(name, each, least, most));
        }
        return List.copyOf(numbers);
    }

    public boolean on(String name, boolean fallback) {
        return switch (values.getOrDefault(name, fallback ? "on" : "off")) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new UsageException("--" + name + " is either on or off.");
        };
    }

    public Path path(String name, Path fallback) {
        try {
            return Path.of(values.getOrDefault(name, fallback.toString())).toAbsolutePath();
        } catch (InvalidPathException wrong) {
            throw new UsageException("--" + name + " is not a path: " + wrong.getMessage());
        }
    }

    private static int parse(String name, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text.replace("_", ""));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with the bounds.
        }
        throw new UsageException(
                "--%s is \"%s\", but a whole number from %d to %d is expected.".formatted(name, text, least, most));
    }
}
