package dev.parley.face.agent;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.runs.lifecycle.Run;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of a cursor in a list of runs. */
final class RunCursor {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})_([0-9a-f-]{36})");

    private RunCursor() {}

    static String behind(Run last) {
        return last.positions().created() + "_" + last.taskId();
    }

    /** The position before which the list continues; the end if there is no cursor. */
    static Run.Cursor require(Optional<String> cursor) {
        return cursor.map(RunCursor::read).orElse(Run.Cursor.END);
    }

    private static Run.Cursor read(String text) {
        Matcher parts = FORM.matcher(text);
        Optional<UUID> task = parts.matches() ? UuidV7.parseCanonical(parts.group(2)) : Optional.empty();
        return task.map(id -> new Run.Cursor(Long.parseLong(parts.group(1)), id))
                .orElseThrow(() -> new ProblemException(
                        Problem.INVALID_CURSOR, "The cursor must be the nextCursor of the previous page."));
    }
}
