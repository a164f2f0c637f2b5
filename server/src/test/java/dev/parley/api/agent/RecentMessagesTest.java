package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The server's cache of a thread's recent messages equals a fresh read, whatever happens between two turns. */
class RecentMessagesTest {
    private static final int MAX_MESSAGES = 8;
    private static final int STEP = MAX_MESSAGES / 2;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyTurnIsShownTheCurrentThread(long seed) {
        Random random = new Random(seed);
        try (RunningServer server = RunningServer.start("--limit-context-messages", String.valueOf(MAX_MESSAGES))) {
            AgentCaller caller = AgentCaller.somebody(server);
            String thread = UUID.randomUUID().toString();
            for (int turn = 0; turn < 30; turn++) {
                String run = "run-" + turn;
                assertThat(caller.start(thread, run, "turn " + turn).status()).isEqualTo(202);
                caller.follow(thread, run);
                List<JsonNode> now = caller.messages(thread);

                assertThat(shown(caller, thread, run))
                        .as("seed %d, turn %d", seed, turn)
                        .isEqualTo(expected(now, "turn " + turn));
                meddle(caller, thread, now, random);
            }
        }
    }

    private static List<String> shown(AgentCaller caller, String thread, String run) {
        return caller.api()
                .get("/api/v1/agent/threads/" + thread + "/runs/" + run + "/context")
                .json()
                .get("messages")
                .valueStream()
                .map(message -> message.get("content").asString())
                .toList();
    }

    /** By the rule: the last messages before the answer, from a step on, without deleted ones. */
    private static List<String> expected(List<JsonNode> messages, String question) {
        List<JsonNode> seen = new ArrayList<>(messages.subList(0, messages.size() - 1));
        if (seen.size() >= MAX_MESSAGES) {
            long first = seen.get(seen.size() - MAX_MESSAGES).get("thread_seq").asLong();
            long bound = (first + STEP - 1) / STEP * STEP;
            seen.removeIf(message -> message.get("thread_seq").asLong() < bound);
        }
        List<String> contents = new ArrayList<>(seen.stream()
                .filter(message -> message.path("deleted_at").isMissingNode()
                        || message.get("deleted_at").isNull())
                .map(message -> message.get("content").asString())
                .toList());
        assertThat(contents).endsWith(question);
        return contents;
    }

    private static void meddle(AgentCaller caller, String thread, List<JsonNode> messages, Random random) {
        JsonNode message = messages.get(random.nextInt(messages.size()));
        String path = "/api/v1/chat/threads/" + thread + "/messages/"
                + message.get("id").asString();
        boolean own = message.get("role").asString().equals("user");
        switch (random.nextInt(4)) {
            case 0 -> caller.api().send("PUT", path + "/reactions/%F0%9F%91%8D", "");
            case 1 -> {
                if (own) {
                    caller.api().patch(path, "{\"content\": \"edited " + random.nextInt(100) + "\"}");
                }
            }
            case 2 -> {
                if (own) {
                    caller.api().delete(path);
                }
            }
            default -> {
                // No change between the two reads.
            }
        }
    }
}
