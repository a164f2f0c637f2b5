package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/**
 * Rehearses a start, so that a JVM that was told to remember what it loads and runs ({@code -XX:AOTCacheOutput}) has
 * something to remember. It knows no setting: what it does must not depend on who calls it, nor reach anybody's data.
 */
public final class RehearseCommand {
    private static final String USAGE =
            "rehearse: starts a server on a folder of its own, uses it for a moment, and leaves nothing behind";

    private RehearseCommand() {}

    /** @param start starts a server of this configuration */
    public static int run(List<String> arguments, Function<Config, Rehearsal.Stage> start) {
        if (CommandLine.asksForHelp(arguments)) {
            System.out.println(USAGE);
            return 0;
        }
        if (!arguments.isEmpty()) {
            throw new ConfigException("A rehearsal takes no settings; leave out " + arguments.getFirst() + ".");
        }
        try (Rehearsal rehearsal = Rehearsal.prepare(start)) {
            // Also if it is told to stop in its middle: neither PostgreSQL nor the folder may be left behind.
            Thread stop = Thread.ofPlatform().name("parley-stop").unstarted(rehearsal::close);
            Runtime.getRuntime().addShutdownHook(stop);
            rehearsal.play();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return 0;
    }
}
