package dev.parley.bench.prove;

import java.io.PrintStream;
import java.util.List;

/** {@code ./parley prove log}. */
public final class LogProofCommand {
    public static final String FLAGS = "";

    private LogProofCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        return 0;
    }
}
