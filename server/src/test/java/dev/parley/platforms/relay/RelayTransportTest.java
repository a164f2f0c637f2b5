package dev.parley.platforms.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.ChatTransport.Lookup;
import dev.parley.delivery.ChatTransport.SendResult;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.delivery.WebhookSecrets;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.OutboundUrl;
import dev.parley.platforms.ChatTransportContract;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayTransportTest implements ChatTransportContract {
    private static final byte[] SECRET = "s3cret".getBytes(UTF_8);
    /** Computed by openssl as docs/use/relay.md describes. */
    private static final byte[] KEY =
            HexFormat.of().parseHex("ed0ab8477152b1d619e2e4ab366004a0304cd6b06f98bf14d90b914dc6a7e9be");

    private final TestClock clock = TestClock.at(Instant.parse("2026-08-12T09:00:00Z"));
    private final ScriptedRelay relay = new ScriptedRelay(KEY, clock);
    private final Calls calls = new Calls(new Outbound(Set.of()));
    private final RelayTransport transport = transport(new WebhookSecrets(List.of(SECRET)));

    private RelayTransport transport(WebhookSecrets secrets) {
        return new RelayTransport("telegram", OutboundUrl.parse(relay.url().toString()), secrets, calls, clock);
    }

    @AfterEach
    void end() {
        calls.close();
        relay.close();
    }

    @Override
    public ChatTransport transport() {
        return transport;
    }

    @Override
    public ReplyTarget target() {
        return new ReplyTarget("telegram", "", "chat-7", "");
    }

    @Override
    public ReplyTarget unknownTarget() {
        return new ReplyTarget("telegram", "", ScriptedRelay.NOWHERE, "");
    }

    @Override
    public List<Shown> shown() {
        return relay.taken().stream()
                .map(taken ->
                        new Shown(taken.externalId(), taken.body().path("text").asString()))
                .toList();
    }

    @Override
    public void failNextSend(Fault fault) {
        relay.api().fail("/out", fault);
    }

    @Override
    public void limitNextSend(Duration time) {
        relay.closeFor(time);
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public void pass(Duration time) {
        clock.advance(time);
    }

    /** A relay is not looked up: a part with an unknown outcome is sent again, and delivered once. */
    @Test
    @Override
    public void aLostAnswerIsUnknownAndThePartIsFound() throws InterruptedException {
        Parcel parcel = parcel("marker-000000000000001", "Hello.");
        failNextSend(new Fault.LoseAnswer());

        assertThat(transport.send(parcel)).isInstanceOf(SendResult.Unknown.class);
        assertThat(transport.lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        assertThat(lookUp(parcel)).isInstanceOf(Lookup.SendAgain.class);
        SendResult again = transport.send(parcel);

        assertThat(shown()).hasSize(1);
        assertThat(again).isEqualTo(new SendResult.Delivered(shown().getFirst().externalId()));
    }

    @Test
    @Override
    public void markersTellEqualTextsApart() throws InterruptedException {
        SendResult first = transport.send(parcel("marker-000000000000001", "Yes."));
        SendResult second = transport.send(parcel("marker-000000000000002", "Yes."));
        SendResult again = transport.send(parcel("marker-000000000000001", "Yes."));

        assertThat(shown()).hasSize(2);
        assertThat(second).isNotEqualTo(first);
        assertThat(again).isEqualTo(first);
    }

    /** A revision names the message that it replaces; its effect is the relay's. */
    @Test
    @Override
    public void sentMessageCanBeRevisedAndDeleted() throws InterruptedException {
        SendResult sent = transport.revise(parcel("marker-000000000000002", "other words"), "ext-7");

        assertThat(sent).isInstanceOf(SendResult.Delivered.class);
        assertThat(relay.taken().getFirst().body().path("replaces").asString()).isEqualTo("ext-7");
    }

    @Test
    void bodyNamesItsTargetAndOmitsAbsentMembers() throws InterruptedException {
        transport.send(new Parcel("m1", new ReplyTarget("telegram", "team", "chat-7", "topic-2"), "早上好", now()));
        transport.send(parcel("m2", "Hello."));

        assertThat(relay.taken().get(0).body().toString()).isEqualTo("""
            {"marker":"m1","source":"telegram","channel":"chat-7","text":"早上好","workspace":"team",\
            "thread":"topic-2"}\
            """);
        assertThat(relay.taken().get(1).body().toString())
                .isEqualTo("{\"marker\":\"m2\",\"source\":\"telegram\",\"channel\":\"chat-7\",\"text\":\"Hello.\"}");
    }

    @Test
    void relayWithAnotherKeyIsRetriedLater() throws InterruptedException {
        RelayTransport foreign = transport(new WebhookSecrets(List.of("another".getBytes(UTF_8))));

        assertThat(foreign.send(parcel("m1", "Hello."))).isInstanceOf(SendResult.NotNow.class);
        assertThat(shown()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "not json", "{\"external_id\":\" \"}", "{\"external_id\":7}"})
    void markerStandsForAMissingId(String body) throws InterruptedException {
        failNextSend(new Fault.Instead(LocalApi.Answer.json(202, body)));

        assertThat(transport.send(parcel("m1", "Hello."))).isEqualTo(new SendResult.Delivered("m1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 504, 408})
    void openOutcomeIsUnknown(int status) throws InterruptedException {
        failNextSend(new Fault.Instead(LocalApi.Answer.json(status, "")));

        assertThat(transport.send(parcel("m1", "Hello."))).isInstanceOf(SendResult.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 403, 404, 410, 413, 422})
    void clientErrorIsRefused(int status) throws InterruptedException {
        failNextSend(new Fault.Instead(LocalApi.Answer.json(status, "")));

        assertThat(transport.send(parcel("m1", "Hello."))).isInstanceOf(SendResult.Refused.class);
    }

    @Test
    void retryAfterIsReported() throws InterruptedException {
        failNextSend(new Fault.Instead(LocalApi.Answer.json(503, "").with("Retry-After", "12")));
        assertThat(transport.send(parcel("m1", "Hello.")))
                .isEqualTo(new SendResult.NotNow("The relay answered 503.", Duration.ofSeconds(12)));

        failNextSend(new Fault.Instead(LocalApi.Answer.json(503, "").with("Retry-After", "tomorrow")));
        assertThat(transport.send(parcel("m1", "Hello.")))
                .isEqualTo(new SendResult.NotNow("The relay answered 503.", null));
    }

    @Test
    void closedRelayIsRetriedLater() throws InterruptedException {
        relay.close();

        assertThat(transport.send(parcel("m1", "Hello."))).isInstanceOf(SendResult.NotNow.class);
    }

    @Test
    void formerSecretStaysValidDuringItsReplacement() throws InterruptedException {
        RelayTransport both = transport(new WebhookSecrets(List.of("the new one".getBytes(UTF_8), SECRET)));

        assertThat(both.send(parcel("m1", "Hello."))).isInstanceOf(SendResult.Delivered.class);
    }
}
