package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs that the log and a session have under one name, and the names that a run can be addressed by. */
class SessionRunOwnersTest {
    private static final String DEMO = "00000000-0000-7000-8000-0000000000de";

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final ChatCaller mona = ChatCaller.user(server, "Mona");
    private static final ChatCaller ann = ChatCaller.user(server, "Ann");
    private static final ChatCaller bob = ChatCaller.user(server, "Bob");

    private String thread;

    @BeforeEach
    void meet() {
        thread = mona.newThread(ann, bob).threadId().toString();
        mona.post("/chat/threads/" + thread + "/participants", Map.of("sender_ids", List.of("agent:" + DEMO)));
    }

    private ChatCaller.Reply keep(ChatCaller caller, String run) {
        return caller.send(
                "PUT",
                "/sessions/" + thread + "/runs/" + run,
                Map.of("document", Map.of("by", caller.actor().value())));
    }

    private ChatCaller.Reply bring(ChatCaller caller, String run, String id) {
        return caller.post(
                "/sessions/" + thread + "/chat-events",
                Map.of("run_id", run, "message", Map.of("id", id, "role", "assistant", "content", "Yes.")));
    }

    private String startRun(ChatCaller caller, String run) {
        ChatCaller.Reply started = caller.post(
                "/agent/runs",
                Map.of(
                        "threadId",
                        thread,
                        "runId",
                        run,
                        "messages",
                        List.of(Map.of("id", "q", "role", "user", "content", "/slow 2000")),
                        "forwardedProps",
                        Map.of("agentId", DEMO)));
        assertThat(started.status()).as(started.toString()).isEqualTo(202);
        return started.body().path("taskId").asString();
    }

    @Test
    void nameTakenInASession_givesNoRightOnTheRunThatGetsIt() {
        assertThat(keep(bob, "x").status()).isEqualTo(200);
        startRun(ann, "x");

        assertThat(keep(bob, "x").status()).isEqualTo(403);
        assertThat(bring(bob, "x", "b").status()).isEqualTo(403);
        assertThat(keep(mona, "x").status()).as("a manager tidies up").isEqualTo(200);
    }

    @Test
    void documentStoredFirstByAManager_staysTheStartersToReplace() {
        startRun(ann, "x");
        assertThat(keep(mona, "x").status()).isEqualTo(200);

        assertThat(keep(ann, "x").status()).isEqualTo(200);
        assertThat(keep(bob, "x").status()).isEqualTo(403);
    }

    @Test
    void serversIdOfARun_givesNoAccess() {
        String task = startRun(ann, "x");

        assertThat(bring(bob, task, "b").status()).isEqualTo(403);
        assertThat(keep(bob, task).status()).isEqualTo(403);
    }

    @Test
    void knownMessages_mayBePostedAgainByAnyParticipant() {
        assertThat(bring(ann, "told", "a").status()).isEqualTo(201);

        assertThat(bring(bob, "told", "a").status())
                .as("read, and posted again")
                .isEqualTo(200);
        assertThat(bring(bob, "told", "b").status()).isEqualTo(403);
    }

    @Test
    void runsWithoutRecordedOwners_areLeftToManagers() {
        assertThat(bring(ann, "old", "a").status()).isEqualTo(201);
        server.execute("update session_runs set started_by = null where thread_id = '" + thread + "'");

        assertThat(bring(ann, "old", "b").status()).isEqualTo(403);
        assertThat(keep(mona, "old").status()).isEqualTo(200);
    }
}
