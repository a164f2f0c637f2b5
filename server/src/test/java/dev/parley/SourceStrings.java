package dev.parley;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The strings of one class of the server's source; strings joined by plus signs are one.
 *
 * @param name the class with its package, without {@code dev.parley}
 */
record SourceStrings(String name, List<String> strings) {
    private static final Path SOURCES = Path.of("src/main/java/dev/parley");

    /** Comments and character literals are matched as well: a quote in them begins no string. */
    private static final Pattern TOKENS = Pattern.compile(
            "//[^\n]*|/\\*.*?\\*/|\"\"\"[ \t]*\n(?<block>.*?)(?<!\\\\)\"\"\"|\"(?<string>(?:\\\\.|[^\"\\\\\n])*)\""
                    + "|'(?:\\\\.|[^'\\\\])'",
            Pattern.DOTALL);

    private static final Pattern PLUS = Pattern.compile("\\s*\\+\\s*");

    static List<SourceStrings> ofServer() {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(SourceStrings::of)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static SourceStrings of(Path file) {
        String path = SOURCES.relativize(file).toString();
        String name = path.substring(0, path.length() - ".java".length()).replace('/', '.');
        try {
            return new SourceStrings(name, in(Files.readString(file)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static List<String> in(String source) {
        List<String> strings = new ArrayList<>();
        int end = -1;
        for (MatchResult token : TOKENS.matcher(source).results().toList()) {
            String string = token.group("block") == null ? token.group("string") : token.group("block");
            if (string != null) {
                boolean goesOn = end >= 0
                        && PLUS.matcher(source.substring(end, token.start())).matches();
                strings.add(goesOn ? strings.removeLast() + string : string);
                end = token.end();
            }
        }
        return strings;
    }

    /** The matches of a pattern's first group in the strings. */
    Stream<String> find(Pattern pattern) {
        return strings.stream()
                .flatMap(string -> pattern.matcher(string).results())
                .map(found -> found.group(1));
    }
}
