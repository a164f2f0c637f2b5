package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.ApiCaller;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Deadline;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Message;
import dev.parley.sdk.Parley;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.databind.JsonNode;

/**
 * Three platforms send messages and get each reply in several parts. The platforms lose calls and answers, and the
 * proof kills the server again and again. In the end every channel must show each line of the agents' messages in its
 * thread once, and in order.
 */
public record DeliveryProof(Path folder, int messages, long seed, PrintStream out) {
    public static final BenchCommand COMMAND = new BenchCommand(
            "delivery",
            "replies reach chat platforms once and in order, or are shown as uncertain",
            """
                --messages 150       messages of three platforms, each answered in several parts
                --kills 10           of the server
                --kill-every 5s      time between two kills
                --seed N             of the choices (1)
            """,
            DeliveryProof::run);

    private static final String KILLS = "delivery-kills";
    private static final Duration SETTLED_LIMIT = Duration.ofMinutes(8);
    private static final Duration FEED_POLL = Duration.ofMillis(20);
    private static final Duration SETTLE_POLL = Duration.ofMillis(500);
    private static final Duration CALL = Duration.ofSeconds(20);
    private static final List<String> OPEN = List.of("waiting", "sending");

    /**
     * The result of the proof.
     *
     * @param brought the number of platform messages that the server acknowledged
     * @param states the number of parts of replies in each final state
     * @param faults the number of platform calls and answers that were lost or delayed
     * @param violations broken promises in words; empty if the proof holds
     */
    private record Finding(
            long seed, int kills, int brought, Map<String, Long> states, int faults, List<String> violations) {
        private long parts(String state) {
            return states.getOrDefault(state, 0L);
        }
    }

    private static int run(Flags flags, PrintStream out) throws IOException, InterruptedException {
        int messages = flags.number("messages", 1, 100_000);
        int kills = flags.number("kills", 0, 10_000);
        Duration killEvery = flags.seconds("kill-every", 1, 3_600);
        DeliveryProof proof = new DeliveryProof(Proof.path(KILLS), messages, flags.seed(), out);
        Finding finding = proof.run(killEvery, kills);
        Proof.show(finding.violations(), out);
        out.println();
        out.println(new Columns<Finding>()
                .add("kills", Finding::kills)
                .add("messages", Finding::brought)
                .add("faults", Finding::faults)
                .add("parts sent", each -> each.parts("sent"))
                .add("uncertain", each -> each.parts("uncertain"))
                .add("dead", each -> each.parts("dead"))
                .add("violations", each -> each.violations().size())
                .of(List.of(finding)));
        return Proof.conclude("delivery.json", finding, finding.violations().isEmpty(), out, KILLS);
    }

    /**
     * Runs the proof. The kills go on after the last message is acknowledged, because replies are still on their way
     * then.
     */
    private Finding run(Duration killEvery, int wantedKills) throws IOException, InterruptedException {
        Folders.empty(folder);
        Accounts accounts = new Accounts(1);
        Accounts.User operator = accounts.users().getFirst();
        int kills = 0;
        try (Cleanup cleanup = new Cleanup()) {
            PlatformTraffic traffic = cleanup.keep(new PlatformTraffic(new Random(seed)));
            ServerProcess server = cleanup.keep(start(accounts, traffic));
            ExecutorService feeding = cleanup.keep(Executors.newSingleThreadExecutor());
            Future<?> fed = feeding.submit(() -> {
                traffic.send(messages);
                return null;
            });
            while (kills < wantedKills) {
                Thread.sleep(killEvery.toMillis());
                server.kill();
                kills++;
                server = cleanup.keep(start(accounts, traffic));
                out.printf("  kill %d, %d messages acknowledged%n", kills, traffic.brought());
            }
            Deadline.in(SETTLED_LIMIT).await(FEED_POLL, fed::isDone);
            traffic.platforms().heal();
            OperatorView threads = new OperatorView(
                    cleanup.keep(new ApiCaller(server.uri(), operator, CALL)),
                    cleanup.keep(operator.connect(server.uri())));
            List<String> violations = new ArrayList<>();
            Map<String, Long> states = new TreeMap<>();
            if (!Deadline.in(SETTLED_LIMIT).await(SETTLE_POLL, threads::isSettled)) {
                violations.add("not everything was delivered within " + SETTLED_LIMIT);
            }
            threads.byChannel().forEach((channel, thread) -> {
                List<String> ended = threads.states(thread);
                ended.forEach(state -> states.merge(state, 1L, Long::sum));
                boolean doubtful = ended.contains("uncertain") || ended.contains("dead");
                violations.addAll(DeliveryJudge.violations(
                        channel, threads.agentTexts(thread), traffic.posts(channel), doubtful));
            });
            if (traffic.brought() < messages) {
                violations.add("only " + traffic.brought() + " messages were accepted");
            }
            return new Finding(seed, kills, traffic.brought(), states, traffic.faults(), violations);
        }
    }

    private ServerProcess start(Accounts accounts, PlatformTraffic traffic) {
        String operator = accounts.users().getFirst().id().toString();
        ServerProcess server = ServerProcess.alone(
                folder,
                accounts,
                traffic.platforms()
                        .flags("--log-level", "error", "--limit-delivery-lease", "2s", "--operators", operator));
        traffic.platforms().reachedAt(server.uri());
        return server;
    }

    /** The server's threads, as its operator reads them. */
    private record OperatorView(ApiCaller caller, Parley client) {
        /** The thread of each channel, by the channel's name. */
        Map<String, String> byChannel() {
            Map<String, String> threads = new TreeMap<>();
            for (JsonNode thread :
                    caller.readJson("/api/v1/chat/threads?limit=200").path("threads")) {
                String id = thread.path("thread_id").asString();
                String first = "/api/v1/chat/threads/" + id + "/messages?limit=1&after_seq=0";
                for (JsonNode message : caller.readJson(first).path("messages")) {
                    threads.put(
                            message.path("metadata").path("channel_external_id").asString(), id);
                }
            }
            return threads;
        }

        /** The texts of the agents' messages. */
        List<String> agentTexts(String thread) {
            return FinalLogs.messages(client, ThreadId.parse(thread).orElseThrow()).stream()
                    .filter(message -> message.role().equals("assistant"))
                    .map(Message::content)
                    .toList();
        }

        /** The states of all parts of replies. */
        List<String> states(String thread) {
            List<String> states = new ArrayList<>();
            long after = 0;
            while (true) {
                JsonNode page =
                        caller.readJson("/api/v1/chat/threads/" + thread + "/deliveries?limit=200&after_seq=" + after);
                for (JsonNode delivery : page.path("deliveries")) {
                    after = delivery.path("thread_seq").asLong();
                    states.add(delivery.path("state").asString());
                }
                if (!page.path("has_more").asBoolean()) {
                    return states;
                }
            }
        }

        boolean isSettled() {
            return byChannel().values().stream()
                    .noneMatch(
                            thread -> isBusy(thread) || states(thread).stream().anyMatch(OPEN::contains));
        }

        private boolean isBusy(String thread) {
            return caller.readJson("/api/v1/agent/threads/" + thread + "/runs?limit=200")
                    .path("runs")
                    .valueStream()
                    .anyMatch(run -> List.of("queued", "running")
                            .contains(run.path("state").asString()));
        }
    }
}
