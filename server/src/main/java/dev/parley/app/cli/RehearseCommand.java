package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/**
 * Rehearses a start, so that a JVM that records the classes and code it uses ({@code -XX:AOTCacheOutput}) has a
 * complete record. Accepts no settings: a rehearsal must not depend on its caller, nor reach real data.
 */
public final class RehearseCommand {
    private static final String USAGE =
            "rehearse: starts a server on a folder of its own, uses it for a moment, and removes the folder";

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
            // Covers a rehearsal that is stopped halfway: neither PostgreSQL nor the folder may stay.
            Thread stop = Thread.ofPlatform().name("parley-stop").unstarted(rehearsal::close);
            Runtime.getRuntime().addShutdownHook(stop);
            rehearsal.play();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return 0;
    }
}
