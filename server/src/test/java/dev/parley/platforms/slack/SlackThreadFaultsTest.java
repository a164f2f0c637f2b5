package dev.parley.platforms.slack;

import static dev.parley.platforms.slack.SlackTown.ASH;
import static dev.parley.platforms.slack.SlackTown.OLIVIA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** If reading a thread from Slack fails, its message is stored once and answered, and the trace shows the reason. */
class SlackThreadFaultsTest {
    private static final String REPLIES = "conversations.replies";
    private static final String HEADER = "[Thread context — prior messages in this thread, newest last]";

    @AutoClose
    private static final SlackTown town = new SlackTown();

    private String channel = "";

    @BeforeEach
    void openChannel() {
        town.slack.api().heal();
        channel = town.openChannel();
    }

    private void assertStoredOnceAndAnswered(SlackPost post) {
        assertThat(town.stored(channel)).containsExactly(post.shown());
        assertThat(town.context(post)).last().asString().endsWith(": " + post.shown());
    }

    @Test
    void deletedRoot_isReportedAndRepliesAreThere() {
        SlackPost root = town.say(channel, ASH, "soon gone", null);
        town.say(channel, ASH, "a reply", root);
        town.slack.delete(root);
        SlackPost post = town.say(channel, OLIVIA, "what was it?", root);

        town.bring(post);

        assertThat(town.contextOf(post))
                .containsExactly(HEADER, "- (the first message was deleted)", "- Ash (<@U03ASH00001>): a reply");
        assertThat(town.problem(post)).isEqualTo("The thread's first message was deleted.");
        assertStoredOnceAndAnswered(post);
    }

    @Test
    void rootDeletedInTheLog_isNotShown() {
        SlackPost root = town.say(channel, ASH, "soon gone", null);
        town.bring(root);
        town.bring(town.server, SlackPostman.deleted(root));
        SlackPost post = town.say(channel, OLIVIA, "what was it?", root);

        town.bring(post);

        assertThat(town.contextOf(post)).containsExactly(HEADER, "- (the first message was deleted)");
        assertThat(town.replyCalls(root)).isEmpty();
    }

    @Test
    void deletedThread_isNotReadAgain() {
        SlackPost root = town.say(channel, ASH, "soon gone", null);
        town.slack.delete(root);
        SlackPost post = town.say(channel, OLIVIA, "hello?", root);

        town.bring(post);
        town.endPause(channel);
        town.bring(town.say(channel, OLIVIA, "hello again", root));

        assertThat(town.contextOf(post)).isEmpty();
        assertThat(town.problem(post)).startsWith("Slack says thread_not_found.");
        assertThat(town.replyCalls(root)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "missing_scope, Give the app the history scope",
        "not_in_channel, invite it",
        "channel_not_found, invite it"
    })
    void deniedHistory_isReportedAndReadOnceAllowed(String error, String remedy) {
        SlackPost root = town.say(channel, ASH, "behind the curtain", null);
        SlackPost post = town.say(channel, OLIVIA, "早上好 مرحبا 👍🏽", root);
        town.slack.hideHistory(channel, error);

        town.bring(post);

        assertThat(town.contextOf(post)).isEmpty();
        assertThat(town.problem(post)).startsWith("Slack says " + error + ".").contains(remedy);
        assertStoredOnceAndAnswered(post);

        SlackPost early = town.say(channel, OLIVIA, "too early", root);
        town.bring(early);
        assertThat(town.replyCalls(root)).hasSize(1);
        assertThat(town.problem(early)).contains("the next one is not due yet");

        town.slack.showHistory(channel);
        town.endPause(channel);
        SlackPost later = town.say(channel, OLIVIA, "now", root);
        town.bring(later);
        assertThat(town.contextOf(later)).containsExactly(HEADER, "- Ash (<@U03ASH00001>): behind the curtain");
    }

    @Test
    void shortRateLimit_isWaitedOutBeforeTheAnswer() {
        SlackPost root = town.say(channel, ASH, "root", null);
        SlackPost post = town.say(channel, OLIVIA, "hello", root);
        town.slack.api().fail(REPLIES, limited("1"));

        town.bring(post);

        assertThat(town.contextOf(post)).containsExactly(HEADER, "- Ash (<@U03ASH00001>): root");
        assertThat(town.replyCalls(root)).hasSize(2);
        assertThat(town.context(post).getFirst()).contains("- Ash (<@U03ASH00001>): root");
    }

    @Test
    void longRateLimit_holdsForAllThreadsAndDelaysNoMessage() {
        SlackPost root = town.say(channel, ASH, "root", null);
        SlackPost post = town.say(channel, OLIVIA, "hello", root);
        SlackPost elsewhere = town.say(channel, ASH, "another root", null);
        SlackPost next = town.say(channel, OLIVIA, "hello there", elsewhere);
        town.slack.api().fail(REPLIES, limited("600"));

        // A separate node, because the rate limit keeps it from Slack for ten minutes.
        try (RunningServer node = town.node()) {
            town.bring(node, SlackPostman.message(post));
            town.bring(node, SlackPostman.message(next));
        }

        assertThat(town.stored(channel)).containsExactlyInAnyOrder("hello", "hello there");
        assertThat(town.problem(post)).startsWith("Slack limits how often");
        assertThat(town.problem(next)).startsWith("Slack limits how often");
        assertThat(town.replyCalls(root)).hasSize(1);
        assertThat(town.replyCalls(elsewhere)).isEmpty();
        assertThat(town.server.count("select count(*) from bindings where channel = '" + channel
                        + "' and history_next_at > now() + interval '9 minutes'"))
                .isEqualTo(2);
    }

    @Test
    void rateLimitInMidThread_keepsWhatWasRead() {
        SlackPost root = town.say(channel, ASH, "root", null);
        for (int i = 1; i <= 250; i++) {
            town.say(channel, ASH, "reply " + i, root);
        }
        SlackPost post = town.say(channel, OLIVIA, "hello", root);
        town.slack.api().fail(REPLIES, new Fault.Delay(Duration.ZERO));
        town.slack.api().fail(REPLIES, limited("600"));

        try (RunningServer node = town.node()) {
            town.bring(node, SlackPostman.message(post));
        }

        List<String> lines = town.contextOf(post);
        assertThat(lines.get(1)).isEqualTo("- Ash (<@U03ASH00001>): root");
        assertThat(lines.getLast()).isEqualTo("- (later messages could not be read)");
        assertThat(town.problem(post)).startsWith("Slack limits how often");
    }

    private static Fault limited(String seconds) {
        return new Fault.Instead(LocalApi.Answer.json(429, "{\"ok\":false,\"error\":\"ratelimited\"}")
                .with("Retry-After", seconds));
    }

    @Test
    void silentSlack_isNotWaitedForBeyondTheLimit() throws Exception {
        SlackPost root = town.say(channel, ASH, "root", null);
        SlackPost post = town.say(channel, OLIVIA, "hello", root);
        town.slack.api().fail(REPLIES, new Fault.Hang());
        ObjectNode event = SlackPostman.message(post);

        // Slack's own timeout passes meanwhile, and it sends the event again.
        try (RunningServer node = town.impatientNode();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Object> bringing = Executors.callable(() -> town.bring(node, event));
            for (Future<Object> each : callers.invokeAll(List.of(bringing, bringing, bringing))) {
                each.get();
            }
        }

        assertThat(town.problem(post)).startsWith("Slack did not show the thread's earlier messages");
        assertThat(town.replyCalls(root)).hasSize(1);
        assertStoredOnceAndAnswered(post);
    }

    @Test
    void brokenSlack_isReadAgainWithALaterMessage() {
        SlackPost root = town.say(channel, ASH, "root", null);
        SlackPost post = town.say(channel, OLIVIA, "hello", root);
        town.slack.api().fail(REPLIES, new Fault.Instead(LocalApi.Answer.json(503, "")));

        town.bring(post);
        town.endPause(channel);
        SlackPost later = town.say(channel, OLIVIA, "still there?", root);
        town.bring(later);

        assertThat(town.problem(post)).startsWith("Slack did not show the thread's earlier messages");
        assertThat(town.contextOf(later)).containsExactly(HEADER, "- Ash (<@U03ASH00001>): root");
        assertThat(town.contexts(channel)).isEqualTo(1);
    }

    @Test
    void rootInTheLogAndSlackRefusing_showsTheRoot() {
        SlackPost root = town.say(channel, ASH, "root", null);
        town.bring(root);
        SlackPost mention = town.say(channel, OLIVIA, "hello", root);
        town.slack.hideHistory(channel, "missing_scope");

        town.bring(town.server, SlackPostman.mention(mention));

        assertThat(town.contextOf(mention))
                .containsExactly(HEADER, "- Ash (<@U03ASH00001>): root", "- (later messages could not be read)");
        assertThat(town.problem(mention)).startsWith("Slack says missing_scope.");
    }

    @Test
    void claimOfACrashedNode_isTakenOver() {
        SlackPost root = town.say(channel, ASH, "root", null);
        SlackPost first = town.say(channel, OLIVIA, "first", root);
        SlackPost second = town.say(channel, OLIVIA, "second", root);
        town.slack.hideHistory(channel, "missing_scope");
        town.bring(first);
        town.slack.showHistory(channel);
        town.endPause(channel);
        town.server.execute("update bindings set holder = gen_random_uuid(),"
                + " held_until = now() + interval '1 second' where channel = '" + channel + "'");

        town.bring(second);

        assertThat(town.contextOf(second)).containsExactly(HEADER, "- Ash (<@U03ASH00001>): root");
    }
}
