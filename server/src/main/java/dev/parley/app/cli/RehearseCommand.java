package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/**
 * Rehearses a start for a JVM that records its classes and code ({@code -XX:AOTCacheOutput}), so that the record is
 * complete. The command accepts no settings, because a rehearsal must not depend on its caller, nor reach real data.
 */
public final class RehearseCommand {
    private static final String USAGE =
            "rehearse: starts a server on a folder of its own, uses it for a moment, and removes the folder";

    private RehearseCommand() {}

    /** @param start the function that starts a server with a configuration */
    public static int run(List<String> arguments, Function<Config, Rehearsal.Stage> start) {
        if (CommandLine.asksForHelp(arguments)) {
            System.out.println(USAGE);
            return 0;
        }
        if (!arguments.isEmpty()) {
            throw new ConfigException("A rehearsal takes no settings; leave out " + arguments.getFirst() + ".");
        }
        try (Rehearsal rehearsal = Rehearsal.prepare(start)) {
            // Covers a rehearsal that is stopped halfway, because neither PostgreSQL nor the folder may stay.
            Thread stop = Thread.ofPlatform().name("parley-stop").unstarted(rehearsal::close);
            Runtime.getRuntime().addShutdownHook(stop);
            rehearsal.play();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return 0;
    }
}
