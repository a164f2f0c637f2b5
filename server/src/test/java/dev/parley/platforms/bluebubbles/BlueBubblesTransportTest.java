package dev.parley.platforms.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.ChatTransport.Lookup;
import dev.parley.delivery.ChatTransport.SendResult;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.platforms.ChatTransportContract;
import dev.parley.protocol.Json;
import dev.parley.testkit.chat.BlueBubblesMessages;
import dev.parley.testkit.chat.LocalApi.Answer;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Each part reaches the Mac once, or its outcome is reported as unknown. */
class BlueBubblesTransportTest implements ChatTransportContract {
    private static final String MARKER = "marker-000000000000001";

    private final Mac mac = new Mac();
    private final BlueBubblesTransport transport = new BlueBubblesTransport(mac.api, mac.clock);

    @AfterEach
    void close() {
        mac.close();
    }

    @Override
    public ChatTransport transport() {
        return transport;
    }

    @Override
    public boolean revises() {
        return false;
    }

    @Override
    public ReplyTarget target() {
        return new ReplyTarget("bluebubbles", "", Mac.DIRECT, "");
    }

    @Override
    public ReplyTarget unknownTarget() {
        return new ReplyTarget("bluebubbles", "", "iMessage;-;+15550199", "");
    }

    @Override
    public List<Shown> shown() {
        return mac.server.messages(Mac.DIRECT).stream()
                .map(each -> new Shown(
                        each.path("guid").asString(), each.path("text").asString()))
                .toList();
    }

    @Override
    public void failNextSend(Fault fault) {
        mac.server.api().fail("message/text", fault);
    }

    /** BlueBubbles has no rate limit of its own, but tunnels in front of it do. */
    @Override
    public void limitNextSend(Duration time) {
        failNextSend(new Fault.Instead(
                new Answer(429, Map.of("Retry-After", String.valueOf(time.toSeconds())), new byte[0])));
    }

    @Override
    public Instant now() {
        return mac.clock.instant();
    }

    @Override
    public void pass(Duration time) {
        mac.clock.advance(time);
    }

    /** Advances the clock further between two lookups, as the Mac is slow. */
    @Override
    public Lookup lookUp(Parcel parcel) throws InterruptedException {
        Lookup found = transport.lookUp(parcel);
        for (int i = 0; i < MAX_LOOKUPS && found instanceof Lookup.NotYet; i++) {
            pass(Duration.ofSeconds(30));
            found = transport.lookUp(parcel);
        }
        return found;
    }

    private static Fault answering(int status, String json) {
        return new Fault.Instead(Answer.json(status, json));
    }

    private SendResult sendInto(Fault fault) throws InterruptedException {
        failNextSend(fault);
        return transport.send(parcel(MARKER, "Hello."));
    }

    @Test
    void requestHasBlueBubblesMembers() throws InterruptedException {
        transport.send(parcel(MARKER, "Hello."));

        assertThat(Json.MAPPER.readTree(
                        mac.server.api().requests("message/text").getFirst().text()))
                .isEqualTo(Json.MAPPER.readTree("{\"chatGuid\":\"" + Mac.DIRECT + "\",\"message\":\"Hello.\","
                        + "\"tempGuid\":\"" + MARKER + "\",\"method\":\"apple-script\"}"));
    }

    @Test
    void aMessageThatIsStillQueuedIsUnknown() throws InterruptedException {
        mac.server.queue(MARKER);

        assertThat(transport.send(parcel(MARKER, "Hello."))).isInstanceOf(SendResult.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void wrongPasswordIsRetriedLater(int status) throws InterruptedException {
        assertThat(sendInto(answering(status, "{\"status\":" + status + ",\"error\":{}}")))
                .isInstanceOf(SendResult.NotNow.class);
    }

    @Test
    void errorDoesNotShowThePassword() throws InterruptedException {
        BlueBubblesApi wrong = new BlueBubblesApi(mac.calls, mac.files, mac.server.url(), "hunter2-wrong");

        SendResult sent = new BlueBubblesTransport(wrong, mac.clock).send(parcel(MARKER, "Hello."));

        assertThat(sent).isEqualTo(new SendResult.NotNow("BlueBubbles answered 401.", null));
    }

    @Test
    void unknownChatIsRefusedOnlyByBlueBubblesItself() throws InterruptedException {
        assertThat(sendInto(answering(404, "{\"status\":404,\"error\":{\"message\":\"no chat\"}}")))
                .isInstanceOf(SendResult.Refused.class);
        assertThat(sendInto(answering(404, "{\"tunnel\":\"gone\"}"))).isInstanceOf(SendResult.NotNow.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 530})
    void serverErrorIsUnknown(int status) throws InterruptedException {
        assertThat(sendInto(new Fault.Although(new Answer(status, Map.of(), new byte[0]))))
                .isInstanceOf(SendResult.Unknown.class);
        assertThat(lookUp(parcel(MARKER, "Hello."))).isInstanceOf(Lookup.There.class);
    }

    @Test
    void failureOfMessagesIsRetriedLater() throws InterruptedException {
        assertThat(sendInto(answering(500, "{\"status\":500,\"data\":{\"guid\":\"A\",\"error\":22}}")))
                .isEqualTo(new SendResult.NotNow("Messages could not send it (error 22).", null));
    }

    @Test
    void emptyAnswerIsUnknown() throws InterruptedException {
        assertThat(sendInto(answering(200, "{}"))).isInstanceOf(SendResult.Unknown.class);
        assertThat(sendInto(answering(200, "<html>"))).isInstanceOf(SendResult.Unknown.class);
        assertThat(sendInto(answering(302, ""))).isInstanceOf(SendResult.NotNow.class);
    }

    @Test
    void unreachableServerIsRetriedLater() throws InterruptedException {
        Mac gone = new Mac();
        gone.close();

        SendResult sent = new BlueBubblesTransport(
                        new BlueBubblesApi(mac.calls, mac.files, gone.server.url(), "x"), mac.clock)
                .send(parcel(MARKER, "Hello."));

        assertThat(sent).isInstanceOf(SendResult.NotNow.class);
    }

    @Test
    void missingPartIsAbsentOnlyAfterTheSettleTime() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "Hello.");
        failNextSend(new Fault.LoseRequest());
        transport.send(parcel);
        pass(BlueBubblesTransport.SETTLE_TIME.minusMillis(1));
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);

        pass(Duration.ofMillis(1));
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void settleTimeCountsFromTheLastAttempt() throws InterruptedException {
        Instant begun = now();
        pass(Duration.ofHours(1));
        Parcel parcel = new Parcel(MARKER, target(), "Hello.", begun, now());
        failNextSend(new Fault.LoseRequest());
        transport.send(parcel);

        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        pass(BlueBubblesTransport.SETTLE_TIME);
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void unansweredLookupIsNotFinal() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "Hello.");
        pass(Duration.ofHours(1));
        for (Fault fault : List.of(
                answering(500, "{}"), answering(200, "{}"), new Fault.LoseAnswer(), answering(404, "Not Found"))) {
            mac.server.api().fail("message/query", fault);
            assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
            pass(Duration.ofHours(1));
        }
    }

    @Test
    void equalTextsOfOthersAreNotMatched() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "Hello.");
        mac.server.say(Mac.DIRECT, Mac.FRIEND, "Hello.");
        mac.server.say(Mac.GROUP, null, "Hello.");
        ObjectNode failed = BlueBubblesMessages.said(Mac.DIRECT, null, "Hello.", now());
        mac.server.keep(failed.put("error", 22));

        assertThat(lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void equalTextShortlyBeforeIsUnknowable() throws InterruptedException {
        mac.server.say(Mac.DIRECT, null, "Hello.");
        pass(Duration.ofSeconds(2));
        Parcel parcel = parcel(MARKER, "Hello.");

        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        assertThat(lookUp(parcel)).isInstanceOf(Lookup.Unknowable.class);
    }

    @Test
    void equalTextLongBeforeIsIgnored() throws InterruptedException {
        mac.server.say(Mac.DIRECT, null, "Hello.");
        pass(BlueBubblesTransport.AMBIGUOUS_TIME.plusSeconds(1));

        assertThat(lookUp(parcel(MARKER, "Hello."))).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void partIsFoundAgainAndByLaterTransports() throws InterruptedException {
        Parcel parcel = parcel(MARKER, "  e\u0301 早上好\n");
        failNextSend(new Fault.LoseAnswer());
        transport.send(parcel);
        ((ObjectNode) mac.server.messages(Mac.DIRECT).getFirst()).put("text", "é 早上好");

        Lookup found = transport.lookUp(parcel);

        assertThat(found).isInstanceOf(Lookup.There.class);
        assertThat(transport.lookUp(parcel)).isEqualTo(found);
        assertThat(new BlueBubblesTransport(mac.api, mac.clock).lookUp(parcel)).isEqualTo(found);
    }

    @Test
    void typingIsShownAndMayFail() throws InterruptedException {
        transport.showTyping(target());
        mac.server.api().fail("/typing", new Fault.LoseAnswer());
        transport.showTyping(target());

        assertThat(mac.server.typing()).contains(Mac.DIRECT);
        assertThat(mac.server.api().requests("/typing").getFirst().parameters())
                .containsEntry("password", ScriptedBlueBubbles.PASSWORD);
    }
}
