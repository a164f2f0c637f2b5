package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A whole server with a scripted Slack, in which Ash and Olivia talk in threads. */
final class SlackTown implements AutoCloseable {
    static final String ASH = "U03ASH00001";
    static final String OLIVIA = "U06STGBF4Q0";

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final UUID OPERATOR = UUID.randomUUID();

    final ScriptedSlack slack = new ScriptedSlack(Clock.systemUTC());
    final RunningServer server;
    private final SlackPostman postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, Clock.systemUTC());

    SlackTown() {
        slack.addUser(ASH, "Ash", "Ash Example");
        slack.addUser(OLIVIA, "Olivia", "Olivia Example");
        server = RunningServer.start(allFlags("60s"));
    }

    /** Flags with long limits for names and histories, which a busy machine must not miss. */
    private String[] allFlags(String historyTime) {
        return slack.flags(
                "--operators",
                OPERATOR.toString(),
                "--limit-platform-names-time",
                "60s",
                "--limit-platform-history-time",
                historyTime);
    }

    /** Another node on the same database. */
    RunningServer node() {
        return server.beside(allFlags("60s"));
    }

    /** Another node on the same database, which waits 3 seconds for Slack's histories. */
    RunningServer impatientNode() {
        return server.beside(allFlags("3s"));
    }

    String openChannel() {
        return slack.openChannel();
    }

    /** A message whose event is not delivered yet. */
    SlackPost say(String channel, String user, String text, @Nullable SlackPost root) {
        return slack.say(channel, user, text, root == null ? null : root.ts());
    }

    void bring(SlackPost post) {
        bring(server, SlackPostman.message(post));
    }

    void bring(RunningServer node, ObjectNode event) {
        HttpResponse<String> answer = postman.bring(events(node), event);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    static URI events(RunningServer node) {
        return node.uri().resolve("/api/v1/integrations/slack/events");
    }

    /** The calls of conversations.replies for one thread. */
    List<LocalApi.Request> replyCalls(SlackPost root) {
        return slack.api().requests("conversations.replies").stream()
                .filter(request -> root.ts().equals(request.fields().get("ts")))
                .toList();
    }

    Api operator() {
        return server.api(OPERATOR, "Root");
    }

    /** The one trace of a message. */
    JsonNode trace(SlackPost post) {
        JsonNode traces = operator()
                .get("/api/v1/integrations/messages?source=slack&external_message_id=" + post.ts())
                .json()
                .path("traces");
        assertThat(traces).hasSize(1);
        return traces.get(0);
    }

    String problem(SlackPost post) {
        return trace(post).at("/thread_history/problem").asString("");
    }

    /** The messages in the context of the run for a post, as {@code role: content}. */
    List<String> context(SlackPost post) {
        JsonNode trace = trace(post);
        String context = "/api/v1/agent/threads/" + trace.path("session_id").asString() + "/runs/"
                + trace.at("/run/run_id").asString() + "/context";
        await().atMost(LIMIT)
                .until(() -> operator().get(context).json().path("messages").size() > 0);
        return operator()
                .get(context)
                .json()
                .path("messages")
                .valueStream()
                .map(message -> message.path("role").asString() + ": "
                        + message.path("content").asString())
                .toList();
    }

    /** The lines of a post's thread context; empty without one. */
    List<String> contextOf(SlackPost post) {
        return server
                .select("select e.metadata ->> 'thread_context' from entries e join inbound_events i"
                        + " using (thread_id, seq) where i.external_message_id = '" + post.ts()
                        + "' and e.metadata ->> 'thread_context' is not null")
                .stream()
                .flatMap(String::lines)
                .toList();
    }

    /** The number of a channel's messages with a thread context. */
    long contexts(String channel) {
        return server.count("select count(*) from entries e join bindings b using (thread_id) where b.channel = '"
                + channel + "' and e.metadata ->> 'thread_context' is not null");
    }

    /** The stored texts of people in a channel, in no order. */
    List<String> stored(String channel) {
        return server.select("select e.content from entries e join bindings b using (thread_id) where b.channel = '"
                + channel + "' and e.author like 'slack:U%'");
    }

    /** Ends the pause after a failed attempt. */
    void endPause(String channel) {
        server.execute("update bindings set history_next_at = now() where channel = '" + channel + "'");
    }

    @Override
    public void close() {
        server.close();
        postman.close();
        slack.close();
    }
}
