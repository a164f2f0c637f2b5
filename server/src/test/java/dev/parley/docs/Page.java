package dev.parley.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** One document of the project as its readers see it: commands, tables, links. */
record Page(Path file, String text) {
    /** Tests run in the folder of their module. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern ROW = Pattern.compile("^\\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

    static Page of(String path) {
        return read(ROOT.resolve(path));
    }

    static Page read(Path file) {
        try {
            return new Page(file, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The code blocks in a language. */
    List<String> blocks(String language) {
        return all(Pattern.compile("^```" + language + "\\n(.*?)\\n```$", Pattern.MULTILINE | Pattern.DOTALL));
    }

    /** The cells of all rows of all tables, including headings, without the marks around code. */
    List<List<String>> rows() {
        return all(ROW).stream()
                .map(row -> Arrays.stream(row.split(" \\| "))
                        .map(cell -> cell.matches("`[^`]*`") ? cell.substring(1, cell.length() - 1) : cell)
                        .toList())
                .toList();
    }

    List<String> links() {
        return all(LINK);
    }

    /** The anchors of the headings as GitHub forms them. */
    List<String> anchors() {
        return all(HEADING).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /** The texts between backticks. */
    List<String> codeWords() {
        return all(CODE);
    }

    private List<String> all(Pattern pattern) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
