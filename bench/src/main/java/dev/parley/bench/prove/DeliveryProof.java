package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
 * Three platforms bring messages and are answered in several parts each, lose calls and answers, and the server is killed
 * again and again. In the end every place shows what agents said in its thread: each line once, in order.
 */
final class DeliveryProof {
    private static final Duration SETTLED_LIMIT = Duration.ofMinutes(8);
    private static final Duration CALL = Duration.ofSeconds(20);
    private static final List<String> OPEN = List.of("waiting", "sending");

    private final Path folder;
    private final int messages;
    private final long seed;
    private final PrintStream out;

    DeliveryProof(Path folder, int messages, long seed, PrintStream out) {
        this.folder = folder;
        this.messages = messages;
        this.seed = seed;
        this.out = out;
    }

    /** Kills so often, whether or not there is still something to bring: what was brought is still on its way. */
    DeliveryFinding run(Duration killEvery, int wantedKills) throws IOException, InterruptedException {
        Folders.empty(folder);
        Accounts accounts = new Accounts(1);
        Accounts.User operator = accounts.users().getFirst();
        int kills = 0;
        try (Cleanup cleanup = new Cleanup()) {
            ScriptedPlatforms platforms = cleanup.keep(new ScriptedPlatforms(new Random(seed)));
            ServerProcess server = cleanup.keep(start(accounts, platforms));
            ExecutorService feeding = cleanup.keep(Executors.newSingleThreadExecutor());
            Future<?> fed = feeding.submit(() -> platforms.bring(messages));
            while (kills < wantedKills) {
                Thread.sleep(killEvery.toMillis());
                server.kill();
                kills++;
                server = cleanup.keep(start(accounts, platforms));
                out.printf("  kill %d, %d messages acknowledged%n", kills, platforms.brought());
            }
            await(fed, SETTLED_LIMIT);
            platforms.heal();
            Threads threads = new Threads(server.uri(), operator.token());
            List<String> violations = new ArrayList<>();
            Map<String, Long> states = new TreeMap<>();
            settle(threads, violations);
            for (Map.Entry<String, String> each : threads.byPlace().entrySet()) {
                List<String> ended = threads.states(each.getValue());
                ended.forEach(state -> states.merge(state, 1L, Long::sum));
                boolean doubtful = ended.contains("uncertain") || ended.contains("dead");
                violations.addAll(DeliveryJudge.violations(
                        each.getKey(), threads.said(each.getValue()), platforms.shown(each.getKey()), doubtful));
            }
            if (platforms.brought() < messages) {
                violations.add("only " + platforms.brought() + " messages were taken");
            }
            return new DeliveryFinding(seed, kills, platforms.brought(), states, platforms.faults(), violations);
        }
    }

    private ServerProcess start(Accounts accounts, ScriptedPlatforms platforms) {
        List<String> flags = new ArrayList<>(platforms.flags());
        flags.addAll(List.of(
                "--log-level",
                "error",
                "--limit-delivery-lease",
                "2s",
                "--operators",
                accounts.users().getFirst().id().toString()));
        ServerProcess server = ServerProcess.start(folder, accounts.environment(), flags);
        platforms.reachedAt(server.uri());
        return server;
    }

    /** Until it is done, or so much time has passed. */
    private static void await(Future<?> fed, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!fed.isDone() && System.nanoTime() - deadline < 0) {
            Thread.sleep(20);
        }
    }

    private static void settle(Threads threads, List<String> violations) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLED_LIMIT.toNanos();
        while (System.nanoTime() - deadline < 0) {
            boolean open = threads.byPlace().values().stream()
                    .anyMatch(thread -> threads.isBusy(thread)
                            || threads.states(thread).stream().anyMatch(OPEN::contains));
            if (!open) {
                return;
            }
            Thread.sleep(500);
        }
        violations.add("not everything was delivered within " + SETTLED_LIMIT);
    }

    /** The server's threads, as its operator reads them. */
    private record Threads(URI server, String token) {
        private static final HttpClient CLIENT = HttpClient.newHttpClient();

        /** The thread of each place, by the name of its channel. */
        Map<String, String> byPlace() {
            Map<String, String> threads = new TreeMap<>();
            for (JsonNode thread : get("/api/v1/chat/threads?limit=200").path("threads")) {
                String id = thread.path("thread_id").asString();
                for (JsonNode message : get("/api/v1/chat/threads/" + id + "/messages?limit=1&after_seq=0")
                        .path("messages")) {
                    threads.put(
                            message.path("metadata").path("channel_external_id").asString(), id);
                }
            }
            return threads;
        }

        List<String> said(String thread) {
            List<String> said = new ArrayList<>();
            long after = 0;
            while (true) {
                JsonNode page = get("/api/v1/chat/threads/" + thread + "/messages?limit=200&after_seq=" + after)
                        .path("messages");
                for (JsonNode message : page) {
                    after = message.path("thread_seq").asLong();
                    if (message.path("role").asString().equals("assistant")) {
                        said.add(message.path("content").asString());
                    }
                }
                if (page.isEmpty()) {
                    return said;
                }
            }
        }

        List<String> states(String thread) {
            List<String> states = new ArrayList<>();
            long after = 0;
            while (true) {
                JsonNode page = get("/api/v1/chat/threads/" + thread + "/deliveries?limit=200&after_seq=" + after);
                for (JsonNode delivery : page.path("deliveries")) {
                    after = delivery.path("thread_seq").asLong();
                    states.add(delivery.path("state").asString());
                }
                if (!page.path("has_more").asBoolean()) {
                    return states;
                }
            }
        }

        boolean isBusy(String thread) {
            return get("/api/v1/agent/threads/" + thread + "/runs?limit=200")
                    .path("runs")
                    .valueStream()
                    .anyMatch(run -> List.of("queued", "running")
                            .contains(run.path("state").asString()));
        }

        private JsonNode get(String path) {
            try {
                HttpResponse<byte[]> answer = CLIENT.send(
                        HttpRequest.newBuilder(server.resolve(path))
                                .timeout(CALL)
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                if (answer.statusCode() != 200) {
                    throw new IllegalStateException(path + " answered " + answer.statusCode());
                }
                return Json.MAPPER.readTree(answer.body());
            } catch (IOException broken) {
                throw new IllegalStateException(path + " was not answered", broken);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(stopped);
            }
        }
    }
}
