package dev.parley.face.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.log.LogReader;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A stream without a cursor never begins in the middle of a run. */
class StreamStartTest {
    @Test
    void runThatBeginsWhileTheActiveOneIsLookedUpIsSeenFromItsFirstEvent() {
        try (RunningServer server = RunningServer.start("--rate-limits", "off");
                Database database = Database.open(server.database(), 1)) {
            Api api = server.api(UUID.randomUUID(), "Somebody");
            String id = api.post("/api/v1/chat/threads", "{}").text("thread_id");
            ThreadId thread = ThreadId.parse(id).orElseThrow();
            LogReader log = new LogReader(database);
            long after = StreamStart.live(log, thread, there -> {
                run(api, id);
                return Optional.empty();
            });
            List<String> first =
                    server.select("select first_position from runs where thread_id = '" + id + "' and root is null");
            assertThat(Long.parseLong(first.getFirst())).isGreaterThan(after);
        }
    }

    private static void run(Api api, String thread) {
        Map<String, Object> input = Map.of(
                "threadId",
                thread,
                "runId",
                "r1",
                "messages",
                List.of(Map.of("id", "m", "role", "user", "content", "hi")));
        Api.Reply started = api.post("/api/v1/agent/runs", Json.MAPPER.writeValueAsString(input));
        assertThat(started.status()).isEqualTo(202);
        String stream = api.get("/api/v1/agent/runs/" + thread + "/events?runId=r1")
                .answer()
                .text();
        assertThat(stream).contains("RUN_FINISHED");
    }
}
