package dev.parley.sdk;

import static dev.parley.sdk.Samples.QUICK;
import static dev.parley.sdk.Samples.THREAD;
import static dev.parley.sdk.Samples.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Json;
import dev.parley.protocol.agent.RunStanding;
import dev.parley.protocol.agent.RunView;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunsTest {
    private static final ScriptedServer.Step CUT = (request, wire) -> {};
    private static final String ROOT = "/api/v1/agent/threads/" + THREAD;
    private static final String ACCEPTED = """
            {"taskId": "00000000-0000-0001-0000-000000000002", "threadId": "%s", "runId": "r",
             "created": "2026-01-01T00:00:00Z"}""".formatted(THREAD);
    private static final String RUN = """
            {"taskId": "00000000-0000-0001-0000-000000000002", "threadId": "%s", "runId": "r",
             "agent": "agent:00000000-0000-0001-0000-000000000003",
             "startedBy": "user:00000000-0000-0001-0000-000000000004", "state": "running", "parentRunId": null,
             "rootRunId": null, "triggers": [1], "attempts": 1, "firstEvent": 3, "lastEvent": null, "outcome": null,
             "error": null, "created": "2026-01-01T00:00:00Z", "started": "2026-01-01T00:00:01Z", "ended": null}""".formatted(THREAD);

    @Test
    void aStartWithoutAnAnswerIsRepeatedWithTheSameRunId() throws IOException {
        try (ScriptedServer server = new ScriptedServer(CUT, (request, wire) -> wire.json(202, ACCEPTED));
                Parley client = quick(server)) {
            assertThat(client.runs().start(THREAD, "你好").runId()).isEqualTo("r");
            List<String> bodies =
                    server.requests().stream().map(ScriptedServer.Request::body).toList();
            assertThat(bodies).hasSize(2).containsOnly(bodies.getFirst());
            assertThat(Json.MAPPER.readTree(bodies.getFirst()).path("runId").asString())
                    .isNotBlank();
            assertThat(Json.MAPPER
                            .readTree(bodies.getFirst())
                            .at("/messages/0/content")
                            .asString())
                    .isEqualTo("你好");
        }
    }

    @Test
    void runsAreFoundListedAndCancelledAtTheirOwnAddress() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(200, RUN),
                        (request, wire) -> wire.json(404, problem(404, "run-not-found", false)),
                        (request, wire) -> wire.json(200, "{\"runs\": [" + RUN + "], \"nextCursor\": \"a+b\"}"),
                        (request, wire) -> wire.json(200, "{\"runs\": [], \"nextCursor\": null}"),
                        (request, wire) -> wire.json(200, "{\"status\": \"accepted\"}"),
                        (request, wire) -> wire.json(
                                200, "{\"threadId\": \"" + THREAD + "\", \"version\": 2, \"state\": {\"a\": 1}}"));
                Parley client = quick(server)) {
            Runs runs = client.runs();
            assertThat(runs.find(THREAD, "r 1")).map(RunView::state).contains("running");
            assertThat(runs.find(THREAD, "r 2")).isEmpty();
            String next = String.valueOf(runs.list(THREAD).nextCursor());
            assertThat(runs.listAfter(THREAD, next).runs()).isEmpty();
            assertThat(runs.cancel(THREAD, "r").status()).isEqualTo("accepted");
            assertThat(runs.state(THREAD).version()).isEqualTo(2);
            assertThat(server.requests())
                    .extracting(request -> request.method() + " " + request.path() + " " + request.body())
                    .containsExactly(
                            "GET " + ROOT + "/runs/r%201 ",
                            "GET " + ROOT + "/runs/r%202 ",
                            "GET " + ROOT + "/runs ",
                            "GET " + ROOT + "/runs?cursor=a%2Bb ",
                            "POST " + ROOT + "/runs/r/cancel {}",
                            "GET " + ROOT + "/state ");
        }
    }

    @Test
    void aDrivenRunIsOpenedByAnEmptyPostAndItsEventsAreNumbered() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer(CUT, standing(0, false), standing(2, false), CUT, standing(3, true));
                Parley client = quick(server)) {
            DrivenRun run = client.runs().drive(THREAD, "r");
            run.post(new TextEvent.Start("m"), new TextEvent.Content("m", "hi"));
            assertThat(run.post(new TextEvent.End("m")).stop()).isTrue();
            assertThat(server.requests())
                    .extracting(request -> request.path().replace(ROOT, "") + numbers(request))
                    .containsExactly(
                            "/runs/r/events null 0 0",
                            "/runs/r/events null 0 0",
                            "/runs/r/events 4 0 2",
                            "/runs/r/events 4 2 1",
                            "/runs/r/events 4 2 1");
        }
    }

    @Test
    void unansweredEventsGoAheadOfTheNextPost() throws IOException {
        try (ScriptedServer server = new ScriptedServer(CUT, standing(6, false), standing(7, false));
                Parley client =
                        Parley.at(server.uri()).retryCalls(RetryPolicy.never()).connect()) {
            DrivenRun run = client.runs().drive(THREAD, "r", new RunStanding(4, 5, false));
            assertThatThrownBy(() -> run.post(new TextEvent.Start("m"))).isInstanceOf(ParleyUnreachable.class);
            run.post(new TextEvent.End("m"));
            assertThat(server.requests()).extracting(RunsTest::numbers).containsExactly(" 4 5 1", " 4 5 1", " 4 6 1");
        }
    }

    @Test
    void refusedEventsAreNotSentAgain() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(400, problem(400, "invalid-fields", false)), standing(5, false));
                Parley client = quick(server)) {
            DrivenRun run = client.runs().drive(THREAD, "r", new RunStanding(4, 5, false));
            assertThatThrownBy(() -> run.post(new RunEvent.Failed("", null))).isInstanceOf(ParleyProblem.class);
            run.heartbeat();
            assertThat(server.requests()).extracting(RunsTest::numbers).containsExactly(" 4 5 1", " 4 5 0");
        }
    }

    private static ScriptedServer.Step standing(long next, boolean stop) {
        return (request, wire) -> wire.json(200, Json.MAPPER.writeValueAsString(new RunStanding(4, next, stop)));
    }

    private static String numbers(ScriptedServer.Request request) {
        var body = Json.MAPPER.readTree(request.body());
        return " " + body.get("epoch") + " " + body.get("first") + " "
                + body.get("events").size();
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryCalls(QUICK).connect();
    }
}
