package dev.parley.postgres;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.regex.Pattern;

/** Sentences for operators: why an I/O call failed, and what PostgreSQL's own output means. */
final class Reasons {
    private static final Pattern TROUBLE = Pattern.compile("\\b(?:FATAL|PANIC|error): +(.*)");
    private static final Pattern PREFIX = Pattern.compile("^.*?\\b(?:LOG|WARNING|ERROR|HINT|DETAIL): +");

    private Reasons() {}

    static String of(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> denied.getFile() + " may not be accessed";
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            case FileSystemException other when other.getReason() != null -> other.getFile() + ": " + other.getReason();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }

    /** The reason why a program ended: the first fatal error in its output or, without such an error, the last line. */
    static String of(String output) {
        List<String> lines = output.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        for (String line : lines) {
            var trouble = TROUBLE.matcher(line);
            if (trouble.find()) {
                return withoutFullStop(trouble.group(1));
            }
        }
        return lines.isEmpty()
                ? "it said nothing"
                : withoutFullStop(PREFIX.matcher(lines.getLast()).replaceFirst(""));
    }

    private static String withoutFullStop(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }
}
