package dev.parley.bench.prove.cluster;

import dev.parley.app.Main;
import java.nio.file.Path;
import java.util.List;

/** The program of a node: the server itself, with a clock that can jump while it runs. */
public final class NodeProgram {
    /** The system property that names the clock's file. */
    static final String CLOCK = "parley.prove.clock";

    private NodeProgram() {}

    public static void main(String[] args) {
        // The first argument is the name of the command, which is always to serve.
        List<String> flags = List.of(args).subList(1, args.length);
        try {
            Main.serve(flags, JumpingClock.by(Path.of(System.getProperty(CLOCK, "clock"))));
        } catch (RuntimeException cannot) {
            System.err.println("parley: " + cannot.getMessage());
            System.exit(1);
        }
    }
}
