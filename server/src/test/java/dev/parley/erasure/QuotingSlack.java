package dev.parley.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A Slack beside an {@link ErasingServer}, whose threads quote messages from before the server came. */
final class QuotingSlack implements AutoCloseable {
    static final String OLIVIA = "U06STGBF4Q0";

    private final ScriptedSlack slack = new ScriptedSlack(Clock.systemUTC());
    private final SlackPostman postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, Clock.systemUTC());

    QuotingSlack() {
        slack.addUser(OLIVIA, "Olivia", "Olivia Example");
    }

    String[] flags(String... more) {
        return Stream.of(
                        slack.flags("--limit-platform-names-time", "60s", "--limit-platform-history-time", "60s"), more)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    String addUser(String name) {
        String user = ScriptedSlack.newId("U");
        slack.addUser(user, name, name + " Example");
        return user;
    }

    String openChannel() {
        return slack.openChannel();
    }

    /** A message that is not delivered yet. */
    SlackPost say(String channel, String user, String text, @Nullable SlackPost root) {
        return slack.say(channel, user, text, root == null ? null : root.ts());
    }

    void bring(ErasingServer server, ObjectNode event) {
        HttpResponse<String> answer =
                postman.bring(server.running().uri().resolve("/api/v1/integrations/slack/events"), event);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** Delivers a message, waits until it is answered, and returns its thread. */
    String bring(ErasingServer server, SlackPost post) {
        bring(server, SlackPostman.message(post));
        String thread = server.running()
                .select("select thread_id from inbound_events where external_message_id = '" + post.ts()
                        + "' and channel = '" + post.channel() + "'")
                .getFirst();
        server.awaitQuiet(thread);
        return thread;
    }

    /** The thread context that a message carries; empty without one. */
    static List<String> contextOf(ErasingServer server, SlackPost post) {
        return server.running()
                .select("select e.metadata ->> 'thread_context' from entries e join inbound_events i"
                        + " using (thread_id, seq) where i.external_message_id = '" + post.ts() + "' and i.channel = '"
                        + post.channel() + "' and e.metadata ->> 'thread_context' is not null");
    }

    @Override
    public void close() {
        postman.close();
        slack.close();
    }
}
