package dev.parley.bench.rig;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;

/**
 * One scenario of {@code ./parley bench} or one subject of {@code ./parley prove}.
 *
 * @param name the scenario or subject; empty for {@code ./parley prove} itself
 * @param flags the help: a line for each flag, with its default and its meaning
 */
public record BenchCommand(String name, String summary, String flags, Action action) {
    /** The work of a command. */
    @FunctionalInterface
    public interface Action {
        /** Returns the exit status: 0 if every promise was kept, else 1. */
        int run(Flags flags, PrintStream out) throws IOException, SQLException, InterruptedException;
    }

    /** Runs the command; throws a {@link UsageException} if it was called wrongly. */
    public int run(List<String> arguments, PrintStream out) {
        try {
            return action.run(Flags.parse(arguments, flags), out);
        } catch (IOException | SQLException failed) {
            throw new IllegalStateException(name + " broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }
}
