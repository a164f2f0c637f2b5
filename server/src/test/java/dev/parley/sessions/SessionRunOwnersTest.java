package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The callers that may post to a run of a session, also to one that the log and the session have under one name. */
class SessionRunOwnersTest {
    private static final String DEMO = "00000000-0000-7000-8000-0000000000de";

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final ChatCaller mona = ChatCaller.user(server, "Mona");
    private static final ChatCaller ann = ChatCaller.user(server, "Ann");
    private static final ChatCaller bob = ChatCaller.user(server, "Bob");

    private final StreamedSession session = StreamedSession.fresh(server);
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

    @Test
    void anotherCallerCannotDriveTheRun() {
        session.run("r1").say(content("r1", "mine"));
        ChatCaller stranger = ChatCaller.user(server, "Stranger");
        assertThat(session.by(stranger, "r1").post(1, 1, List.of()).status()).isEqualTo(404);
        session.user()
                .post(
                        "/chat/threads/" + session.id() + "/participants",
                        Map.of("sender_ids", List.of(stranger.actor().value())));
        assertThat(session.by(stranger, "r1").post(1, 1, List.of()).slug()).isIn("run-taken-over", "forbidden");
        ChatCaller.Agent agent = session.user().newAgent("Outside", "observe", "speak", "run");
        session.user()
                .post(
                        "/chat/threads/" + session.id() + "/participants",
                        Map.of("sender_ids", List.of(agent.actor().value())));
        assertThat(session.by(agent.api(), "r1").post(1, 1, List.of()).slug()).isEqualTo("run-taken-over");
        // The agent that began to stream may post; its owner may not.
        AgnoStreamer own = session.by(agent.api(), "own").say(content("own", "as myself"));
        assertThat(session.run("own").post(1, 1, List.of()).slug()).isEqualTo("run-taken-over");
        own.say(event("RunCompleted", "own"));
        assertThat(session.messages().getLast().get("sender_id").asString())
                .isEqualTo(agent.actor().value());
    }

    /** A user that requests a run of an external agent does not drive it. */
    @Test
    void requestedRunBelongsToItsAgent() {
        ChatCaller.Agent agent = session.user().newAgent("Outside", "observe", "speak", "run");
        StreamedSession shared = new StreamedSession(
                server,
                session.user(),
                session.user().newThread(agent.api()).threadId().toString());
        ChatCaller.Reply asked = shared.user()
                .post(
                        "/agent/runs",
                        Map.of(
                                "threadId", shared.id(),
                                "runId", "asked",
                                "messages", List.of(Map.of("id", "u1", "role", "user", "content", "please")),
                                "tools", List.of(),
                                "context", List.of(),
                                "state", Map.of(),
                                "forwardedProps",
                                        Map.of("agentId", agent.view().agentId().toString())));
        assertThat(asked.status()).as(asked.toString()).isEqualTo(202);
        assertThat(shared.run("asked")
                        .post(null, 0, List.of(content("asked", "x")))
                        .slug())
                .isEqualTo("run-taken-over");
        shared.by(agent.api(), "asked").say(content("asked", "yes"), event("RunCompleted", "asked"));
        assertThat(shared.contents()).containsExactly("please", "yes");
    }

    @Test
    void runAndManageScopesAreRequired() {
        ChatCaller.Agent reader = session.user().newAgent("Reads", "observe", "speak");
        assertThat(session.by(reader.api(), "r").post(null, 0, List.of()).status())
                .isEqualTo(403);
        ChatCaller.Agent runner = session.user().newAgent("Runs", "observe", "speak", "run");
        assertThat(session.by(runner.api(), "r").post(null, 0, List.of()).status())
                .as("no right to make a session")
                .isEqualTo(403);
        ChatCaller.Agent maker = session.user().newAgent("Makes", "observe", "speak", "run", "manage_thread");
        session.by(maker.api(), "r").say(event("RunCompleted", "r", "content", "hello"));
        assertThat(session.contents()).as("the owner takes part as well").containsExactly("hello");
    }
}
