package dev.parley.sdk;

import static dev.parley.sdk.Samples.QUICK;
import static dev.parley.sdk.Samples.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.agent.HistoryAnswer;
import dev.parley.protocol.agent.HistoryDay;
import dev.parley.protocol.agent.HistoryMessage;
import dev.parley.protocol.agent.HistoryQuestion;
import dev.parley.protocol.agent.UiStack;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final String PATH = "GET /api/v1/agent/history";

    private static String day(String day, boolean more, String... messages) {
        return """
                {"scope": "history_day", "threadId": "%s", "day": "%s", "hasMore": %s, "messages": [%s]}""".formatted(THREAD, day, more, String.join(",", messages));
    }

    private static String question(long seq) {
        return """
                {"id": "msg-%d", "seq": %d, "role": "user", "content": "你好", "url": null, "metadata": null,
                 "timestamp": "2026-03-15T10:00:00Z", "attachments": []}""".formatted(seq, seq);
    }

    private static String answer(long seq) {
        return """
                {"id": "msg-%d", "seq": %d, "role": "tool", "content": "x", "metadata": {"a": 1},
                 "uiSchema": {"version": "2.0", "locale": "en", "status": "info", "theme": "default",
                    "root": {"type": "stack", "children": [{"type": "text", "content": "T", "role": "title"}]}},
                 "timestamp": "2026-03-15T10:00:00Z"}""".formatted(seq, seq);
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryCalls(QUICK).connect();
    }

    private static List<String> asked(ScriptedServer server) {
        return server.requests().stream()
                .map(request -> request.method() + " " + request.path())
                .toList();
    }

    @Test
    void aDayIsAskedForAsTheQuerySays() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(200, day("2026-03-15", false, question(1), answer(2))),
                        (request, wire) -> wire.json(200, """
                                {"scope": "history_day", "threadId": null, "day": null, "hasMore": false, "messages": []}"""));
                Parley client = quick(server)) {
            HistoryDay day = client.history()
                    .day(HistoryQuery.of(THREAD)
                            .before(LocalDate.parse("2026-03-16"))
                            .in(ZoneId.of("Asia/Shanghai"))
                            .beforeSeq(12)
                            .limit(50));
            assertThat(day.day()).isEqualTo(LocalDate.parse("2026-03-15"));
            assertThat(day.messages().getFirst()).isInstanceOf(HistoryQuestion.class);
            HistoryAnswer answer = (HistoryAnswer) day.messages().getLast();
            assertThat(answer.role()).isEqualTo("tool");
            assertThat(answer.uiSchema())
                    .satisfies(schema -> assertThat(schema.root()).isInstanceOf(UiStack.class));
            assertThat(client.history().day(HistoryQuery.LATEST)).isEqualTo(HistoryDay.empty(null));
            assertThat(asked(server))
                    .containsExactly(
                            PATH + "?threadId=" + THREAD
                                    + "&before=2026-03-16&tz=Asia%2FShanghai&beforeSeq=12&limit=50",
                            PATH);
        }
    }

    @Test
    void theWayBackEndsWhereTheThreadBegan() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(200, day("2026-03-15", true, question(7), question(8))),
                        (request, wire) -> wire.json(200, day("2026-03-15", true, question(5))),
                        (request, wire) -> wire.json(200, day("2026-03-12", false, question(1))));
                Parley client = quick(server)) {
            List<Long> seqs = client.history()
                    .back(HistoryQuery.LATEST
                            .before(LocalDate.parse("2026-03-16"))
                            .limit(2))
                    .flatMap(day -> day.messages().reversed().stream())
                    .map(HistoryMessage::seq)
                    .toList();
            assertThat(seqs).containsExactly(8L, 7L, 5L, 1L);
            assertThat(asked(server))
                    .containsExactly(
                            PATH + "?before=2026-03-16&limit=2",
                            PATH + "?threadId=" + THREAD + "&beforeSeq=7&limit=2",
                            PATH + "?threadId=" + THREAD + "&beforeSeq=5&limit=2");
        }
    }

    @Test
    void pagesAreReadOnlyWhenTheyAreWanted() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer((request, wire) -> wire.json(200, day("2026-03-15", true, question(7))));
                Parley client = quick(server)) {
            assertThat(client.history().back(HistoryQuery.LATEST).findFirst()).isPresent();
            assertThat(asked(server)).hasSize(1);
        }
    }
}
