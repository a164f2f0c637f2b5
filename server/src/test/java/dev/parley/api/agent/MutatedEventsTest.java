package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.runs.guard.ClientVerdict;
import dev.parley.runs.guard.Streams;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.node.ObjectNode;

/**
 * External agents that send nonsense, over HTTP. However they cut it into posts, viewers get a stream that clients
 * accept, with one end, and the thread gets the streamed messages. Each case follows from its seed.
 */
class MutatedEventsTest {
    private static final int STREAMS = 150;
    private static final int AT_ONCE = 4;

    /** Unpaired surrogates are sent as they are. */
    private static final ObjectWriter ASCII = Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private static final List<String> ODD_TEXTS = List.of(
            "x".repeat(70_000), "👋".repeat(40_000), "\u0000", "\ud83d", "\udc4b", "a\ud83d", "\udc4bb", "\u2028\r\n");

    private static final List<String> ID_MEMBERS = List.of("messageId", "toolCallId", "parentMessageId");

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AtomicInteger refusedPosts = new AtomicInteger();
    private final Map<String, Integer> endings = new ConcurrentHashMap<>();

    @Test
    void viewersNeverSeeAnIllegalSequence() throws Exception {
        AtomicInteger seeds = new AtomicInteger();
        List<Throwable> failures = new ArrayList<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            workers.add(Thread.startVirtualThread(() -> {
                Scene scene = new Scene();
                for (int seed = seeds.getAndIncrement(); seed < STREAMS; seed = seeds.getAndIncrement()) {
                    try {
                        scene.play(seed);
                    } catch (RuntimeException | AssertionError failed) {
                        synchronized (failures) {
                            failures.add(new AssertionError("seed " + seed, failed));
                        }
                    }
                }
            }));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(failures).isEmpty();
        // Each kind of mutation occurred, so the assertions above have covered it.
        assertThat(refusedPosts).hasValueGreaterThan(STREAMS / 20);
        assertThat(endings).containsOnlyKeys("completed", "cancelled", "failed");
        assertThat(endings.values()).allMatch(count -> count > STREAMS / 20);
    }

    /** An owner with an external agent of its own. */
    private final class Scene {
        private final AgentCaller owner = AgentCaller.somebody(server);
        private final String agentId = owner.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Outside\"}")
                .text("agent_id");
        private final Api agent = server.api(owner.api()
                .post(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"" + agentId + "\",\"scopes\":[\"observe\",\"speak\",\"run\"]}")
                .text("raw_token"));

        void play(int seed) {
            Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
            play(mixedUp(oddlyWorded(Streams.mutated(seed), random), random), random);
        }

        void play(List<JsonNode> stream, Random random) {
            String thread = owner.api()
                    .post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + agentId + "\"]}")
                    .text("thread_id");
            Driver driver = new Driver(agent, thread, random);
            driver.open();
            driver.send(stream);
            if (random.nextBoolean()) {
                driver.finish();
            } else {
                owner.cancel(thread, "run");
                driver.learnOfTheEnd();
            }
            List<AgentCaller.Frame> frames = owner.follow(thread, "run");
            assertThat(ClientVerdict.on(
                            frames.stream().map(AgentCaller.Frame::data).toList()))
                    .isEmpty();
            assertThat(frames.stream().filter(AgentCaller.Frame::isTerminal)).containsExactly(frames.getLast());
            List<JsonNode> messages = owner.messages(thread);
            assertThat(stored(messages)).isEqualTo(streamed(frames));
            assertThat(calls(messages)).isEqualTo(streamedCalls(frames));
            String state = owner.run(thread, "run").get("state").asString();
            assertThat(state.equals("failed")).isEqualTo(frames.getLast().type().equals("RUN_ERROR"));
            endings.merge(state, 1, Integer::sum);
        }
    }

    /** Some of the texts are very long, or null. */
    private static List<JsonNode> oddlyWorded(List<JsonNode> stream, Random random) {
        return stream.stream()
                .map(event -> event.path("delta").isString() && random.nextInt(8) == 0
                        ? ((ObjectNode) event.deepCopy()).put("delta", ODD_TEXTS.get(random.nextInt(ODD_TEXTS.size())))
                        : event)
                .toList();
    }

    /** Some ids are those of other elements. */
    private static List<JsonNode> mixedUp(List<JsonNode> stream, Random random) {
        List<JsonNode> mixed = new ArrayList<>(stream);
        for (int i = 0; i < 2 && !mixed.isEmpty(); i++) {
            int at = random.nextInt(mixed.size());
            String into = ID_MEMBERS.get(random.nextInt(ID_MEMBERS.size()));
            List<JsonNode> ids = mixed.stream()
                    .flatMap(event -> ID_MEMBERS.stream().map(event::path))
                    .filter(JsonNode::isString)
                    .toList();
            if (mixed.get(at).has(into) && random.nextInt(3) == 0) {
                JsonNode other = ids.get(random.nextInt(ids.size()));
                mixed.set(at, ((ObjectNode) mixed.get(at).deepCopy()).set(into, other));
            }
        }
        return mixed;
    }

    /** A driver that posts a stream in pieces, some of them twice, and drops refused events. */
    private final class Driver {
        private final Api agent;
        private final String thread;
        private final Random random;
        private int epoch;
        private long next;
        private boolean stopped;

        Driver(Api agent, String thread, Random random) {
            this.agent = agent;
            this.thread = thread;
            this.random = random;
        }

        void open() {
            Api.Reply opened = post("{\"first\":0,\"events\":[]}");
            assertThat(opened.status()).as(opened.toString()).isEqualTo(200);
            epoch = opened.json().get("epoch").asInt();
        }

        void send(List<JsonNode> stream) {
            for (int from = 0; from < stream.size() && !stopped; ) {
                int to = Math.min(stream.size(), from + 1 + random.nextInt(6));
                sendTogether(stream.subList(from, to));
                from = to;
            }
        }

        private void sendTogether(List<JsonNode> events) {
            if (!take(events) && events.size() > 1) {
                events.forEach(event -> take(List.of(event)));
            }
        }

        private boolean take(List<JsonNode> events) {
            if (stopped) {
                return true;
            }
            String body = ASCII.writeValueAsString(Map.of("epoch", epoch, "first", next, "events", events));
            Api.Reply reply = post(body);
            if (reply.status() != 200) {
                assertThat(reply.status()).as(reply.toString()).isIn(400, 413);
                refusedPosts.incrementAndGet();
                return false;
            }
            follow(reply);
            if (random.nextInt(4) == 0) {
                // As if the first answer had been lost.
                follow(post(body));
            }
            return true;
        }

        private void follow(Api.Reply reply) {
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            JsonNode standing = reply.json();
            assertThat(standing.get("next").asLong()).isGreaterThanOrEqualTo(next);
            next = standing.get("next").asLong();
            stopped |= standing.get("stop").asBoolean();
        }

        private Api.Reply post(String body) {
            return agent.post("/api/v1/agent/threads/" + thread + "/runs/run/events", body);
        }

        /** However its stream went, the run can be ended. */
        void finish() {
            take(List.of(Json.MAPPER.readTree("{\"type\":\"RUN_FINISHED\",\"threadId\":\"x\",\"runId\":\"y\"}")));
            assertThat(stopped).isTrue();
        }

        void learnOfTheEnd() {
            follow(post("{\"epoch\":" + epoch + ",\"first\":" + next + ",\"events\":[]}"));
            assertThat(stopped).isTrue();
        }
    }

    /** The thread's content according to the stream: texts and results by their ids. */
    private static Map<String, String> streamed(List<AgentCaller.Frame> frames) {
        Map<String, String> said = new TreeMap<>();
        AgentCaller.texts(frames).forEach((id, text) -> said.put("assistant " + id, text));
        for (AgentCaller.Frame frame : frames) {
            if (frame.type().equals("TOOL_CALL_RESULT")) {
                said.put(
                        "tool " + frame.data().get("messageId").asString(),
                        frame.data().get("content").asString());
            }
        }
        said.values().removeIf(String::isEmpty);
        return said;
    }

    private static Map<String, String> stored(List<JsonNode> messages) {
        Map<String, String> said = new TreeMap<>();
        for (JsonNode message : messages) {
            said.merge(
                    message.get("role").asString() + " "
                            + message.at("/metadata/message_id").asString(),
                    message.get("content").asString(),
                    (one, other) -> one + " and again " + other);
        }
        said.values().removeIf(String::isEmpty);
        return said;
    }

    private static Map<String, String> streamedCalls(List<AgentCaller.Frame> frames) {
        Map<String, String> calls = new TreeMap<>();
        for (AgentCaller.Frame frame : frames) {
            if (frame.type().equals("TOOL_CALL_START") || frame.type().equals("TOOL_CALL_ARGS")) {
                calls.merge(
                        frame.data().get("toolCallId").asString(),
                        frame.data().path("delta").asString(""),
                        String::concat);
            }
        }
        return calls;
    }

    private static Map<String, String> calls(List<JsonNode> messages) {
        Map<String, String> calls = new TreeMap<>();
        for (JsonNode message : messages) {
            for (JsonNode call : message.at("/metadata/tool_calls")) {
                calls.put(
                        call.get("id").asString(),
                        call.at("/function/arguments").asString());
            }
        }
        return calls;
    }
}
