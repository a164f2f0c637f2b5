package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.ChatTransport.Lookup;
import dev.parley.delivery.ChatTransport.SendResult;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.platforms.ChatTransportContract;
import dev.parley.protocol.Json;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SlackTransportTest implements ChatTransportContract {
    private static final String CHANNEL = "C0GENERAL1";
    private static final String POST = "chat.postMessage";
    private static final String MARKER = "marker-000000000000001";

    private final TestClock clock = TestClock.at(Instant.parse("2026-08-01T10:00:00Z"));
    private final ScriptedSlack slack = new ScriptedSlack(clock);
    private final Calls calls = new Calls(new Outbound(Set.of()));
    private final SlackTransport transport =
            new SlackTransport(new SlackApi(calls, slack.url(), ScriptedSlack.TOKEN), clock);

    @BeforeEach
    void open() {
        slack.openChannel(CHANNEL);
    }

    @AfterEach
    void close() {
        calls.close();
        slack.close();
    }

    @Override
    public ChatTransport transport() {
        return transport;
    }

    @Override
    public ReplyTarget target() {
        return new ReplyTarget("slack", ScriptedSlack.TEAM, CHANNEL, "");
    }

    @Override
    public ReplyTarget unknownTarget() {
        return new ReplyTarget("slack", ScriptedSlack.TEAM, "C0NOWHERE1", "");
    }

    @Override
    public List<Shown> shown() {
        return slack.messages(CHANNEL).stream()
                .map(post -> new Shown(post.ts(), post.shown()))
                .toList();
    }

    @Override
    public void failNextSend(Fault fault) {
        slack.api().fail(POST, fault);
    }

    @Override
    public void limitNextSend(Duration time) {
        slack.api()
                .fail(
                        POST,
                        new Fault.Instead(LocalApi.Answer.json(429, "{\"ok\":false,\"error\":\"ratelimited\"}")
                                .with("Retry-After", Long.toString(time.toSeconds()))));
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public void pass(Duration time) {
        clock.advance(time);
    }

    private void answerNextSend(String error) {
        failNextSend(new Fault.Instead(LocalApi.Answer.json(200, "{\"ok\":false,\"error\":\"" + error + "\"}")));
    }

    private void answerNextLookup(String error) {
        slack.api()
                .fail(
                        "conversations.history",
                        new Fault.Instead(LocalApi.Answer.json(200, "{\"ok\":false,\"error\":\"" + error + "\"}")));
    }

    private Parcel inThread(String thread) {
        return new Parcel(MARKER, new ReplyTarget("slack", ScriptedSlack.TEAM, CHANNEL, thread), "In a thread.", now());
    }

    @Test
    void partHasItsTargetAndNotifiesNoUser() throws InterruptedException {
        transport.send(parcel(MARKER, "<!channel> <!here> @everyone <@U06STGBF4Q0>"));

        JsonNode sent =
                Json.MAPPER.readTree(slack.api().requests(POST).getFirst().body());
        assertThat(slack.pings()).isEmpty();
        assertThat(sent.path("text").asString()).endsWith("<@U06STGBF4Q0>");
        assertThat(sent.path("unfurl_links").asBoolean(true)).isFalse();
        assertThat(sent.path("link_names").asBoolean(true)).isFalse();
        assertThat(sent.has("thread_ts")).isFalse();
        assertThat(sent.path("metadata").path("event_payload").path("marker").asString())
                .isEqualTo(MARKER);
    }

    @Test
    void replyIsPostedAndFoundInItsThread() throws InterruptedException {
        SlackPost root = slack.say(CHANNEL, "U06STGBF4Q0", "root", null);
        slack.say(CHANNEL, "U06STGBF4Q0", "reply", root.ts());
        failNextSend(new Fault.LoseAnswer());

        assertThat(transport.send(inThread(root.ts()))).isInstanceOf(SendResult.Unknown.class);

        SlackPost answer = slack.answers(CHANNEL).getFirst();
        assertThat(answer.thread()).isEqualTo(root.ts());
        assertThat(lookUp(inThread(root.ts()))).isEqualTo(new Lookup.There(answer.ts()));
    }

    @Test
    void deletedThreadRefuses() throws InterruptedException {
        assertThat(transport.send(inThread("1.000000"))).isInstanceOf(SendResult.Refused.class);
        assertThat(transport.lookUp(inThread("1.000000"))).isInstanceOf(Lookup.Unknowable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel_not_found", "not_in_channel", "is_archived", "restricted_action", "msg_too_long"})
    void permanentErrorIsRefused(String error) throws InterruptedException {
        answerNextSend(error);

        assertThat(transport.send(parcel(MARKER, "Hello.")))
                .isEqualTo(new SendResult.Refused("Slack says " + error + "."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ratelimited",
                "rate_limited",
                "invalid_auth",
                "token_revoked",
                "account_inactive",
                "missing_scope"
            })
    void repairableErrorIsRetriedLater(String error) throws InterruptedException {
        answerNextSend(error);

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.NotNow.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fatal_error", "internal_error", "request_timeout", "service_unavailable"})
    void serverErrorOfSlackIsUnknown(String error) throws InterruptedException {
        answerNextSend(error);

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[]", "{}", "{\"ok\":\"yes\"}", "{\"ok\":true}", "null"})
    void unreadableAnswerIsUnknown(String answer) throws InterruptedException {
        failNextSend(new Fault.Although(LocalApi.Answer.json(200, answer)));

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.Unknown.class);

        assertThat(lookUp(parcel(MARKER, "Hello."))).isInstanceOf(Lookup.There.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void brokenGatewayIsUnknown(int status) throws InterruptedException {
        failNextSend(new Fault.Although(LocalApi.Answer.json(status, "")));

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 407})
    void refusalOfAProxyIsRetriedLater(int status) throws InterruptedException {
        failNextSend(new Fault.Instead(LocalApi.Answer.json(status, "<html>")));

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.NotNow.class);
    }

    @Test
    void aSlowAnswerIsAnAnswer() throws InterruptedException {
        failNextSend(new Fault.Delay(Duration.ofMillis(700)));

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.Delivered.class);
    }

    @Test
    void rateLimitWithoutATimeIsHonoured() throws InterruptedException {
        failNextSend(new Fault.Instead(LocalApi.Answer.json(429, "")));

        assertThat(transport.send(parcel(MARKER, "Hello.")))
                .isEqualTo(new SendResult.NotNow("Slack's rate limit for posting is reached.", null));
    }

    @Test
    void rateLimitIsHonoured() throws InterruptedException {
        slack.limitPosts(1, Duration.ofSeconds(5));
        transport.send(parcel(MARKER, "one"));

        assertThat(transport.send(parcel("marker-000000000000002", "two")))
                .isEqualTo(new SendResult.NotNow("Slack's rate limit for posting is reached.", Duration.ofSeconds(5)));
        pass(Duration.ofSeconds(5));
        assertThat(transport.send(parcel("marker-000000000000002", "two"))).isInstanceOf(SendResult.Delivered.class);
    }

    @Test
    void closedConnectionSendsNothing() throws InterruptedException {
        slack.close();

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.NotNow.class);
        assertThat(transport.lookUp(parcel(MARKER, "Hello."))).isInstanceOf(Lookup.NotYet.class);
    }

    @Test
    void wrongTokenIsRetriedLater() throws InterruptedException {
        SlackTransport other = new SlackTransport(new SlackApi(calls, slack.url(), "xoxb-wrong"), clock);

        SendResult sent = other.send(parcel(MARKER, "Hello."));

        assertThat(sent).isEqualTo(new SendResult.NotNow("Slack says invalid_auth.", null));
        assertThat(other.lookUp(parcel(MARKER, "Hello."))).isInstanceOf(Lookup.NotYet.class);
    }

    @Test
    void missingPartIsAbsentOnlyAfterTheSettleTime() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "Hello.");
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        pass(Duration.ofSeconds(9));
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        pass(Duration.ofSeconds(1));
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    /** The time of the last attempt counts, not of the first. */
    @Test
    void settleTimeCountsFromTheLastAttempt() throws InterruptedException {
        Instant begun = now();
        pass(Duration.ofMinutes(2));
        Parcel parcel = new Parcel(MARKER, target(), "Hello.", begun, now());
        failNextSend(new Fault.LoseRequest());
        transport.send(parcel);

        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        pass(Duration.ofSeconds(10));
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void lookupReadsManyPages() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "Hello.");
        failNextSend(new Fault.LoseAnswer());
        transport.send(parcel);
        for (int i = 0; i < 450; i++) {
            slack.say(CHANNEL, "U06STGBF4Q0", "noise " + i, null);
        }

        assertThat(lookUp(parcel)).isInstanceOf(Lookup.There.class);
        assertThat(slack.api().requests("conversations.history")).hasSize(3);
    }

    @Test
    void lookupGivesUpAfterTooManyMessages() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "Hello.");
        for (int i = 0; i < 4_100; i++) {
            slack.say(CHANNEL, "U06STGBF4Q0", "noise " + i, null);
        }

        assertThat(lookUp(parcel)).isInstanceOf(Lookup.Unknowable.class);
    }

    @Test
    void equalTextWithoutTheMarkerIsNotMatched() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "Hello.");
        slack.say(CHANNEL, "U06STGBF4Q0", "Hello.", null);
        pass(Duration.ofSeconds(10));

        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing_scope", "not_in_channel", "channel_not_found"})
    void deniedHistoryIsUnknowable(String error) throws InterruptedException {
        answerNextLookup(error);

        assertThat(transport.lookUp(parcel(MARKER, "Hello."))).isInstanceOf(Lookup.Unknowable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"internal_error", "ratelimited", "invalid_auth"})
    void failedLookupIsRepeated(String error) throws InterruptedException {
        answerNextLookup(error);
        pass(Duration.ofMinutes(1));

        assertThat(transport.lookUp(parcel(MARKER, "Hello."))).isInstanceOf(Lookup.NotYet.class);
    }

    @Test
    void typingIsShownInThreadsOnlyAndMayFail() throws InterruptedException {
        SlackPost root = slack.say(CHANNEL, "U06STGBF4Q0", "root", null);
        ReplyTarget thread = new ReplyTarget("slack", ScriptedSlack.TEAM, CHANNEL, root.ts());

        transport.showTyping(target());
        transport.showTyping(thread);
        slack.api().fail("setStatus", new Fault.LoseAnswer());
        transport.showTyping(thread);
        transport.showTyping(new ReplyTarget("slack", ScriptedSlack.TEAM, "C0NOWHERE1", "1.000000"));

        assertThat(slack.statuses()).contains(CHANNEL + "/" + root.ts() + ": is thinking…");
        assertThat(slack.messages(CHANNEL)).hasSize(1);
    }

    @Test
    void trailingSlashOfTheAddressIsIgnored() throws InterruptedException {
        SlackTransport other =
                new SlackTransport(new SlackApi(calls, URI.create(slack.url() + "/"), ScriptedSlack.TOKEN), clock);

        assertThat(other.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.Delivered.class);
    }

    @Test
    void sizeIsThatOfTheEncodedText() {
        assertThat(transport.size().applyAsInt("a&b<👍")).isEqualTo("a&amp;b&lt;👍".length());
    }
}
