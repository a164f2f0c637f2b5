package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The agents that sessions name: their number is limited, and an inactive agent cannot write. */
class SessionAgentsTest {
    private static final int MAX_AGENTS = 3;

    @AutoClose
    private static final RunningServer server = Session.start("--limit-session-agents", Integer.toString(MAX_AGENTS));

    private static Api.Reply say(Session session, String agent) {
        return session.append(
                "{\"agent_name\":\"%s\",\"message\":{\"id\":\"%s\",\"role\":\"assistant\",\"content\":\"x\"}}"
                        .formatted(agent, UUID.randomUUID()));
    }

    /** Posts a message as the named agent. */
    private static String sender(Session session, String agent) {
        Api.Reply reply = say(session, agent);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        return reply.json().path("chat_events").path(0).path("sender_id").asString();
    }

    private static String owned(String sender) {
        return "/api/v1/owner/agents/" + sender.substring("agent:".length());
    }

    private static Api.Reply stream(Session session, String run, String agent, String rest) {
        return session.api()
                .post(session.path("/runs/" + run + "/events"), "{\"agent_name\":\"" + agent + "\"," + rest + "}");
    }

    private static String started(String run) {
        return "\"first\":0,\"events\":[{\"event\":\"RunStarted\",\"run_id\":\"" + run + "\"}]";
    }

    private static String said(Session session, String members) {
        Api.Reply reply = session.append("{%s,\"message\":{\"id\":\"%s\",\"role\":\"assistant\",\"content\":\"x\"}}"
                .formatted(members, UUID.randomUUID()));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        return reply.json().path("chat_events").path(0).path("sender_id").asString();
    }

    /** Streams a run whose events alone name the agent. */
    private static String streamed(Session session, String members) {
        String run = UUID.randomUUID().toString();
        Api.Reply reply = session.api().post(session.path("/runs/" + run + "/events"), """
                        {"first":0,"events":[{"event":"RunStarted","run_id":"%1$s",%2$s},
                         {"event":"RunCompleted","run_id":"%1$s","content":"said by %1$s"}]}""".formatted(run, members));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return session.chat()
                .valueStream()
                .filter(each -> each.path("content").asString().equals("said by " + run))
                .findFirst()
                .orElseThrow()
                .path("sender_id")
                .asString();
    }

    @Test
    void agentIsOneActorUnderAllItsNames() {
        Session session = Session.fresh(server);
        String both = "\"agent_id\":\"guard\",\"agent_name\":\"Guard\"";
        String first = streamed(session, both);

        assertThat(said(session, both)).isEqualTo(first);
        assertThat(said(session, "\"agent_id\":\"guard\"")).isEqualTo(first);
        assertThat(said(session, "\"agent_name\":\"Guard\"")).isEqualTo(first);
        assertThat(streamed(session, "\"agent_name\":\"Guard\"")).isEqualTo(first);
        assertThat(said(session, "\"agent_id\":\"other\",\"agent_name\":\"Other\""))
                .isNotEqualTo(first);
    }

    @Test
    void agentKnownByNameGetsTheIdThatComesWithIt() {
        Session session = Session.fresh(server);
        String first = said(session, "\"agent_name\":\"Guard\"");

        assertThat(streamed(session, "\"agent_id\":\"guard\",\"agent_name\":\"Guard\""))
                .isEqualTo(first);
        assertThat(said(session, "\"agent_id\":\"guard\"")).isEqualTo(first);
    }

    @Test
    void agentsOfOneNameWithDifferentIdsAreDistinct() {
        Session session = Session.fresh(server);
        String first = said(session, "\"agent_id\":\"a\",\"agent_name\":\"Agent\"");
        String second = said(session, "\"agent_id\":\"b\",\"agent_name\":\"Agent\"");

        assertThat(second).isNotEqualTo(first);
        assertThat(said(session, "\"agent_name\":\"Agent\"")).isEqualTo(first);
        assertThat(said(session, "\"agent_id\":\"b\"")).isEqualTo(second);
    }

    @Test
    void memberOfATeamIsNotTheTeam() {
        Session session = Session.fresh(server);
        String team = said(session, "\"team_name\":\"Council\"");

        assertThat(said(session, "\"agent_id\":\"a\",\"team_name\":\"Council\""))
                .isNotEqualTo(team);
    }

    @Test
    void concurrentNewAgentsStayWithinTheLimit() throws Exception {
        Session session = Session.fresh(server);
        session.say(Session.user("first", "hello"));
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> all = IntStream.range(0, 24)
                    .mapToObj(i -> threads.submit(() -> say(session, "Agent " + i)))
                    .toList();
            for (Future<Api.Reply> one : all) {
                statuses.add(one.get().status());
            }
        }

        assertThat(statuses.stream().filter(status -> status == 201)).hasSize(MAX_AGENTS);
        assertThat(session.api()
                        .get("/api/v1/owner/agents")
                        .json()
                        .path("agents")
                        .size())
                .isEqualTo(MAX_AGENTS);
    }

    @Test
    void agentNamedConcurrentlyIsMadeOnce() throws Exception {
        Session session = Session.fresh(server);
        session.say(Session.user("first", "hello"));
        List<String> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> all = IntStream.range(0, 12)
                    .mapToObj(i -> threads.submit(() -> sender(session, "作家")))
                    .toList();
            for (Future<String> one : all) {
                senders.add(one.get());
            }
        }

        assertThat(senders).containsOnly(senders.getFirst());
    }

    @Test
    void refusedRunLeavesNoSession() {
        Session session = Session.fresh(server);
        IntStream.range(0, MAX_AGENTS).forEach(i -> sender(session, "Agent " + i));
        Session other = new Session(session.api(), "other-" + UUID.randomUUID());

        assertThat(stream(other, "r", "One more", started("r")).problem()).contains("too-many-agents");

        assertThat(other.api().get(other.path("")).problem()).contains("thread-not-found");
        assertThat(other.api().get("/api/v1/sessions").json().path("sessions").size())
                .isEqualTo(1);
        assertThat(server.count("select count(*) from thread_aliases where alias = '" + other.id() + "'"))
                .isZero();
    }

    @Test
    void callerWithoutTheRightToMakeASessionMakesNoAgent() {
        ChatCaller owner = ChatCaller.user(server, "Olivia");
        ChatCaller.Agent runner = owner.newAgent("Runner", "run");
        Session session = new Session(server.api(runner.token().rawToken()), "own-" + UUID.randomUUID());

        assertThat(stream(session, "r", "Somebody", started("r")).problem()).contains("forbidden");

        assertThat(owner.get("/owner/agents").body().path("agents").size()).isEqualTo(1);
    }

    @Test
    void nameOfADeletedAgentGoesToANewAgent() {
        Session session = Session.fresh(server);
        String before = sender(session, "Writer");
        assertThat(stream(session, "r", "Writer", started("r")).status()).isEqualTo(200);
        assertThat(session.api().delete(owned(before)).status()).isEqualTo(200);

        Api.Reply goingOn = stream(
                session,
                "r",
                "Writer",
                "\"epoch\":1,\"first\":1,\"events\":[{\"event\":\"RunContent\",\"run_id\":\"r\",\"content\":\"x\"}]");
        String after = sender(session, "Writer");

        assertThat(goingOn.problem()).contains("run-taken-over");
        assertThat(after).isNotEqualTo(before);
        assertThat(sender(session, "Writer")).isEqualTo(after);
        assertThat(stream(session, "s", "Writer", started("s")).status()).isEqualTo(200);
        assertThat(session.api()
                        .get("/api/v1/chat/threads/" + session.thread())
                        .json()
                        .path("participants")
                        .valueStream()
                        .map(each -> each.path("sender_id").asString()))
                .contains(after);
    }

    @Test
    void deletedAgentsMakeRoom() {
        Session session = Session.fresh(server);
        String first = sender(session, "Agent 0");
        IntStream.range(1, MAX_AGENTS).forEach(i -> sender(session, "Agent " + i));
        assertThat(say(session, "One more").problem()).contains("too-many-agents");

        session.api().delete(owned(first));

        assertThat(say(session, "One more").status()).isEqualTo(201);
        assertThat(say(session, "Agent 0").problem()).contains("too-many-agents");
    }

    @Test
    void inactiveAgentCannotWrite() {
        Session session = Session.fresh(server);
        String agent = sender(session, "Writer");
        session.api().patch(owned(agent), "{\"is_active\":false}");

        Api.Reply refused = say(session, "Writer");

        assertThat(refused.problem()).contains("agent-not-found");
        JsonNode on = session.api().patch(owned(agent), "{\"is_active\":true}").json();
        assertThat(on.path("is_active").asBoolean()).isTrue();
        assertThat(sender(session, "Writer")).isEqualTo(agent);
    }
}
