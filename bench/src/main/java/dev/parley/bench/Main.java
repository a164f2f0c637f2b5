package dev.parley.bench;

import dev.parley.bench.append.AppendCommand;
import dev.parley.bench.archive.ArchiveCommand;
import dev.parley.bench.fanout.FanoutCommand;
import dev.parley.bench.prove.DeliveryProofCommand;
import dev.parley.bench.prove.LogProofCommand;
import dev.parley.bench.prove.RunProofCommand;
import dev.parley.bench.read.ReadCommand;
import dev.parley.bench.rig.UsageException;
import dev.parley.bench.sessions.SessionsCommand;
import dev.parley.bench.stream.StreamCommand;
import dev.parley.bench.turns.TurnsCommand;
import java.io.PrintStream;
import java.util.List;

/** The command line of {@code ./parley bench} and {@code ./parley prove}. */
public final class Main {
    private static final String USAGE = """
            Usage: ./parley bench SCENARIO [flags]
                   ./parley prove SUBJECT [flags]

            Scenarios of bench
              append   messages over HTTP against bare inserts, side by side
            %s
              archive  an export, its import elsewhere and a verification, with little memory
            %s
              fanout   deliveries to viewers against a bare server that writes the same bytes, side by side
            %s
              read     buffers that reading touches, for large conversations against small ones
            %s
              sessions  what a message costs in a long session of Agno's, beside a short one
            %s
              stream   a token's way from its agent to its viewer, beside a commit and a bare server
            %s
              turns    what a turn costs late in a conversation, beside one at its beginning
            %s
            Subjects of prove
              log      no acknowledged message is lost, doubled or reordered
            %s
              delivery  replies reach chat platforms once and in order, or are shown as uncertain
            %s
              runs     no acknowledged run is lost or stuck; each ends once, and its viewers see what the log holds
            %s""".formatted(
                    AppendCommand.FLAGS,
                    ArchiveCommand.FLAGS,
                    FanoutCommand.FLAGS,
                    ReadCommand.FLAGS,
                    SessionsCommand.FLAGS,
                    StreamCommand.FLAGS,
                    TurnsCommand.FLAGS,
                    LogProofCommand.FLAGS,
                    DeliveryProofCommand.FLAGS,
                    RunProofCommand.FLAGS);

    private Main() {}

    public static void main(String[] args) {
        int status = run(List.of(args), System.out);
        // Also ends what an interrupted run may have left behind in this JVM.
        System.exit(status);
    }

    /** Runs a command and returns its exit status: 0 well, 1 a promise was broken, 2 it was called wrongly. */
    public static int run(List<String> arguments, PrintStream out) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println(USAGE);
            return 0;
        }
        String command = String.join(" ", arguments.subList(0, Math.min(2, arguments.size())));
        List<String> flags = arguments.subList(Math.min(2, arguments.size()), arguments.size());
        try {
            return switch (command) {
                case "bench append" -> AppendCommand.run(flags, out);
                case "bench archive" -> ArchiveCommand.run(flags, out);
                case "bench fanout" -> FanoutCommand.run(flags, out);
                case "bench read" -> ReadCommand.run(flags, out);
                case "bench sessions" -> SessionsCommand.run(flags, out);
                case "bench stream" -> StreamCommand.run(flags, out);
                case "bench turns" -> TurnsCommand.run(flags, out);
                case "prove runs" -> RunProofCommand.run(flags, out);
                case "prove delivery" -> DeliveryProofCommand.run(flags, out);
                case "prove log" -> LogProofCommand.run(flags, out);
                default -> throw new UsageException("There is no \"" + command + "\".\n\n" + USAGE);
            };
        } catch (UsageException wrong) {
            System.err.println("parley: " + wrong.getMessage());
            return 2;
        }
    }
}
