package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import dev.parley.testing.ScriptedAgent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every failure of a remote agent ends its run with a code and a sentence, and its text so far is kept. */
class RemoteFailureTest {
    private static final int FRAME = 64 * 1024;
    private static final String HELLO = "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"Hello\"}";

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--rate-limits", "off",
            "--operators", RemoteFixture.OPERATOR.toString(),
            "--limit-remote-frame", "64KB",
            "--limit-remote-silence", "3s");

    private final RemoteFixture far = RemoteFixture.register(server, Map.of());
    private final ScriptedAgent remote = far.remote();

    @AfterEach
    void close() {
        far.close();
    }

    private void assertFailure(JsonNode error, String code) {
        assertThat(error.get("code").asString()).as(error.toString()).isEqualTo(code);
        assertThat(error.get("message").asString())
                .endsWith(".")
                .doesNotContain("127.0.0.1")
                .doesNotContain("http");
    }

    @Test
    void errorOfTheAgentIsTheRunsError() {
        remote.says(HELLO, "{\"type\":\"RUN_ERROR\",\"message\":\"Out of luck\",\"code\":\"luck\"}");
        JsonNode error = far.failure("r");
        assertThat(error.get("code").asString()).isEqualTo("luck");
        assertThat(error.get("message").asString()).isEqualTo("Out of luck");
        JsonNode stored = far.caller().messages(far.thread()).getLast();
        assertThat(stored.get("content").asString()).isEqualTo("Hello");
        assertThat(stored.at("/metadata/partial").asBoolean()).isTrue();
    }

    @Test
    void anAnswerThatBreaksOffIsTruncated() {
        remote.then((request, answer) -> {
                    answer.start(request);
                    answer.events(HELLO);
                })
                .then((request, answer) -> {
                    answer.start(request);
                    answer.raw("data: {\"type\":\"RUN_FINI");
                })
                .then((request, answer) -> answer.open());
        for (String run : List.of("r1", "r2", "r3")) {
            assertFailure(far.failure(run), "remote_truncated");
        }
    }

    @Test
    void anEndWithoutItsEmptyLineIsAnEnd() {
        remote.then((request, answer) -> {
            answer.start(request);
            answer.raw("data: " + HELLO + "\r\n\r\n");
            answer.raw("data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}");
        });
        assertThat(AgentCaller.types(far.ask("r", "Hi"))).endsWith("RUN_FINISHED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"type\":", "hello", "{\"type\":\"TEXT_MESSAGE_START\"}", "[1]"})
    void invalidAguiEndsTheRun(String data) {
        remote.says(HELLO, data);
        assertFailure(far.failure("r"), "remote_protocol");
        assertThat(far.caller().messages(far.thread()).getLast().get("content").asString())
                .isEqualTo("Hello");
    }

    @Test
    void illegalEventEndsTheRun() {
        remote.says("{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"never begun\"}");
        assertFailure(far.failure("r"), "illegal_event");
    }

    @Test
    void anEventHasALimit() {
        String start = "{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":\"";
        String largest = start + "x".repeat(FRAME - start.length() - 2) + "\"}";
        remote.says(largest).says(largest.replace("\"}", "x\"}"));
        assertThat(AgentCaller.types(far.ask("fits", "Hi"))).contains("CUSTOM").endsWith("RUN_FINISHED");
        assertFailure(far.failure("too-large"), "remote_protocol");
    }

    @Test
    void anEventWithoutEndIsNotWaitedFor() {
        AtomicBoolean hungUp = new AtomicBoolean();
        remote.then((request, answer) -> {
            answer.start(request);
            answer.raw("data: " + "x".repeat(FRAME + 10));
            hungUp.set(answer.awaitHangUp());
        });
        assertFailure(far.failure("r"), "remote_protocol");
        await().untilTrue(hungUp);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 400, 401, 404, 422, 500, 503})
    void anotherStatusIsAFailureWithoutItsText(int status) {
        remote.then((request, answer) -> {
            if (status == 204) {
                answer.status(status);
            } else {
                answer.status(status, "{\"detail\":\"inner workings\"}");
            }
        });
        JsonNode error = far.failure("r");
        assertFailure(error, "remote_status");
        assertThat(error.get("message").asString())
                .contains(String.valueOf(status))
                .doesNotContain("inner");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void redirectsAreNotFollowed(int status) {
        try (ScriptedAgent elsewhere = new ScriptedAgent()) {
            remote.then((request, answer) -> answer.status(status, "", "Location", elsewhere.url()));
            assertFailure(far.failure("r"), "remote_status");
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    @Test
    void missingServerIsUnreachable() {
        remote.close();
        assertFailure(far.failure("r"), "remote_unreachable");
    }

    @Test
    void serverThatSendsNoEventIsSilent() {
        remote.then((request, answer) -> answer.hang()).then((request, answer) -> {
            answer.start(request);
            answer.events(HELLO);
            answer.hang();
        });
        assertFailure(far.failure("before"), "remote_silent");
        assertFailure(far.failure("later"), "remote_silent");
        assertThat(far.caller().messages(far.thread()).getLast().get("content").asString())
                .isEqualTo("Hello");
    }

    @Test
    void heartbeatsAreSignsOfLife() {
        remote.then((request, answer) -> {
            answer.start(request);
            answer.beatFor(4_000);
            answer.events(HELLO);
            answer.finish(request);
        });
        assertThat(AgentCaller.types(far.ask("r", "Hi"))).endsWith("RUN_FINISHED");
    }

    @Test
    void anAgentMayHaveMoreTimeThanOthers() {
        try (RemoteFixture patient = RemoteFixture.register(server, Map.of("silence_seconds", 30))) {
            patient.remote().then((request, answer) -> {
                answer.start(request);
                answer.pause(4_000);
                answer.finish(request);
            });
            assertThat(AgentCaller.types(patient.ask("r", "Hi"))).endsWith("RUN_FINISHED");
        }
    }

    @Test
    void theRunsOwnLimitBoundsItAll() {
        try (RunningServer hasty = RunningServer.start(
                        "--rate-limits", "off",
                        "--operators", RemoteFixture.OPERATOR.toString(),
                        "--limit-run-time", "1s");
                RemoteFixture slow = RemoteFixture.register(hasty, Map.of())) {
            AtomicBoolean hungUp = new AtomicBoolean();
            slow.remote().then((request, answer) -> {
                answer.start(request);
                hungUp.set(answer.awaitHangUp());
            });
            assertThat(slow.failure("r").get("code").asString()).isEqualTo("timeout");
            await().untilTrue(hungUp);
        }
    }
}
