package dev.parley.bench;

import dev.parley.bench.append.AppendBench;
import dev.parley.bench.archive.ArchiveBench;
import dev.parley.bench.fanout.FanoutBench;
import dev.parley.bench.nodes.NodesBench;
import dev.parley.bench.prove.DeliveryProof;
import dev.parley.bench.prove.LogProofs;
import dev.parley.bench.prove.RunProofs;
import dev.parley.bench.prove.cluster.ClusterProof;
import dev.parley.bench.prove.cluster.HistoryFolder;
import dev.parley.bench.prove.hostile.HostileProof;
import dev.parley.bench.prove.viewers.ViewersProof;
import dev.parley.bench.read.ReadBench;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.UsageException;
import dev.parley.bench.runs.RunsBench;
import dev.parley.bench.sessions.SessionsBench;
import dev.parley.bench.stream.StreamBench;
import dev.parley.bench.turn.TurnBench;
import dev.parley.bench.viewers.ViewersBench;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** The command line of {@code ./parley bench} and {@code ./parley prove}. */
public final class Main {
    private static final List<BenchCommand> SCENARIOS = List.of(
            AppendBench.COMMAND,
            ArchiveBench.COMMAND,
            FanoutBench.COMMAND,
            NodesBench.COMMAND,
            ReadBench.COMMAND,
            RunsBench.COMMAND,
            SessionsBench.COMMAND,
            StreamBench.COMMAND,
            TurnBench.COMMAND,
            ViewersBench.COMMAND);
    private static final BenchCommand PROOF = ClusterProof.COMMAND;
    private static final List<BenchCommand> SUBJECTS = List.of(
            HistoryFolder.JUDGE,
            LogProofs.COMMAND,
            DeliveryProof.COMMAND,
            HostileProof.COMMAND,
            RunProofs.COMMAND,
            ViewersProof.COMMAND);

    private static final String USAGE = """
            Usage: ./parley bench SCENARIO [flags]
                   ./parley prove [SUBJECT] [flags]

            Scenarios of bench
            %s
            prove without a subject: %s
            %s
            Subjects of prove
            %s""".formatted(help(SCENARIOS), PROOF.summary(), PROOF.flags(), help(SUBJECTS));

    private Main() {}

    public static void main(String[] args) {
        int status = run(List.of(args), System.out);
        // The exit also ends the threads that an interrupted run may have left in this JVM.
        System.exit(status);
    }

    private static String help(List<BenchCommand> commands) {
        return commands.stream()
                .map(each -> "  %-7s  %s%n%s".formatted(each.name(), each.summary(), each.flags()))
                .collect(Collectors.joining("\n"));
    }

    /** Runs a command and returns its exit status: 0 on success, 1 if a promise was broken, 2 for a wrong call. */
    public static int run(List<String> arguments, PrintStream out) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println(USAGE);
            return 0;
        }
        // The words before the first flag.
        int words = (int) Math.min(
                2, arguments.stream().takeWhile(word -> !word.startsWith("--")).count());
        String verb = words > 0 ? arguments.getFirst() : "";
        String name = words > 1 ? arguments.get(1) : "";
        try {
            return command(verb, name).run(arguments.subList(words, arguments.size()), out);
        } catch (UsageException wrong) {
            System.err.println("parley: " + wrong.getMessage());
            return 2;
        }
    }

    private static BenchCommand command(String verb, String name) {
        if (verb.equals("prove") && name.isEmpty()) {
            return PROOF;
        }
        List<BenchCommand> all = switch (verb) {
            case "bench" -> SCENARIOS;
            case "prove" -> SUBJECTS;
            default -> List.of();
        };
        return all.stream()
                .filter(command -> command.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new UsageException("There is no \"" + (verb + " " + name).strip() + "\".\n\n" + USAGE));
    }
}
