package dev.parley.bench;

import dev.parley.bench.append.AppendCommand;
import dev.parley.bench.archive.ArchiveCommand;
import dev.parley.bench.fanout.FanoutCommand;
import dev.parley.bench.nodes.NodesCommand;
import dev.parley.bench.prove.DeliveryProofCommand;
import dev.parley.bench.prove.LogProofCommand;
import dev.parley.bench.prove.RunProofCommand;
import dev.parley.bench.prove.cluster.ClusterProofCommand;
import dev.parley.bench.prove.cluster.JudgeCommand;
import dev.parley.bench.prove.hostile.HostileProofCommand;
import dev.parley.bench.prove.viewers.ViewersProofCommand;
import dev.parley.bench.read.ReadCommand;
import dev.parley.bench.rig.UsageException;
import dev.parley.bench.runs.RunsCommand;
import dev.parley.bench.sessions.SessionsCommand;
import dev.parley.bench.stream.StreamCommand;
import dev.parley.bench.turns.TurnsCommand;
import dev.parley.bench.viewers.ViewersCommand;
import java.io.PrintStream;
import java.util.List;

/** The command line of {@code ./parley bench} and {@code ./parley prove}. */
public final class Main {
    private static final String USAGE = """
            Usage: ./parley bench SCENARIO [flags]
                   ./parley prove [SUBJECT] [flags]

            Scenarios of bench
              append   messages over HTTP against bare inserts, side by side
            %s
              archive  an export, its import elsewhere and a verification, with little memory
            %s
              fanout   deliveries to viewers against a bare server that writes the same bytes, side by side
            %s
              nodes    what a message costs on several nodes, beside one
            %s
              read     buffers that reading touches, for large conversations against small ones
            %s
              runs     runs and reads a second that are held, and what each costs
            %s
              sessions  what a message costs in a long session of Agno's, beside a short one
            %s
              stream   a token's way from its agent to its viewer, beside a commit and a bare server
            %s
              turns    what a turn costs late in a conversation, beside one at its beginning
            %s
              viewers  what idle viewers cost, and how soon they are back after a kill
            %s
            prove without a subject: many nodes, every fault, and nothing lost, duplicated, reordered or stuck
            %s
            Subjects of prove
              judge    judges the histories that a proof has saved once more
            %s
              log      no acknowledged message is lost, doubled or reordered
            %s
              delivery  replies reach chat platforms once and in order, or are shown as uncertain
            %s
              hostile  honest callers are served beside greedy and hostile ones
            %s
              runs     no acknowledged run is lost or stuck; each ends once, and its viewers see what the log holds
            %s
              viewers  the streams of many viewers stay whole while nodes are killed
            %s""".formatted(
                    AppendCommand.FLAGS,
                    ArchiveCommand.FLAGS,
                    FanoutCommand.FLAGS,
                    NodesCommand.FLAGS,
                    ReadCommand.FLAGS,
                    RunsCommand.FLAGS,
                    SessionsCommand.FLAGS,
                    StreamCommand.FLAGS,
                    TurnsCommand.FLAGS,
                    ViewersCommand.FLAGS,
                    ClusterProofCommand.FLAGS,
                    JudgeCommand.FLAGS,
                    LogProofCommand.FLAGS,
                    DeliveryProofCommand.FLAGS,
                    HostileProofCommand.FLAGS,
                    RunProofCommand.FLAGS,
                    ViewersProofCommand.FLAGS);

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
        // What comes before the first flag.
        int words = (int) Math.min(
                2, arguments.stream().takeWhile(word -> !word.startsWith("--")).count());
        String command = String.join(" ", arguments.subList(0, words));
        List<String> flags = arguments.subList(words, arguments.size());
        try {
            return switch (command) {
                case "bench append" -> AppendCommand.run(flags, out);
                case "bench archive" -> ArchiveCommand.run(flags, out);
                case "bench fanout" -> FanoutCommand.run(flags, out);
                case "bench nodes" -> NodesCommand.run(flags, out);
                case "bench read" -> ReadCommand.run(flags, out);
                case "bench runs" -> RunsCommand.run(flags, out);
                case "bench sessions" -> SessionsCommand.run(flags, out);
                case "bench stream" -> StreamCommand.run(flags, out);
                case "bench turns" -> TurnsCommand.run(flags, out);
                case "bench viewers" -> ViewersCommand.run(flags, out);
                case "prove" -> ClusterProofCommand.run(flags, out);
                case "prove judge" -> JudgeCommand.run(flags, out);
                case "prove runs" -> RunProofCommand.run(flags, out);
                case "prove viewers" -> ViewersProofCommand.run(flags, out);
                case "prove delivery" -> DeliveryProofCommand.run(flags, out);
                case "prove hostile" -> HostileProofCommand.run(flags, out);
                case "prove log" -> LogProofCommand.run(flags, out);
                default -> throw new UsageException("There is no \"" + command + "\".\n\n" + USAGE);
            };
        } catch (UsageException wrong) {
            System.err.println("parley: " + wrong.getMessage());
            return 2;
        }
    }
}
