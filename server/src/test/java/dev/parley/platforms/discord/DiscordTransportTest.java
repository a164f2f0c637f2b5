package dev.parley.platforms.discord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.ChatTransport.Lookup;
import dev.parley.delivery.ChatTransport.SendResult;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.platforms.ChatTransportContract;
import dev.parley.protocol.Json;
import dev.parley.testkit.chat.DiscordChannel;
import dev.parley.testkit.chat.DiscordChannel.User;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class DiscordTransportTest implements ChatTransportContract {
    private static final User OLIVIA = new User("302050872383242240", "olivia", null, false);

    private final DiscordScene scene = new DiscordScene();
    private final DiscordChannel channel = scene.discord.open("901000000000000100");

    @BeforeEach
    void showNonces() {
        scene.discord.showNonces(true);
    }

    @AfterEach
    void end() {
        scene.close();
        assertThat(scene.discord.violations()).isEmpty();
    }

    @Override
    public ChatTransport transport() {
        return scene.transport();
    }

    @Override
    public ReplyTarget target() {
        return new ReplyTarget("discord", "901000000000000100", channel.id(), "");
    }

    @Override
    public ReplyTarget unknownTarget() {
        return new ReplyTarget("discord", "901000000000000100", "1", "");
    }

    @Override
    public List<Shown> shown() {
        return channel.messages().stream()
                .map(message -> new Shown(message.id(), message.content()))
                .toList();
    }

    @Override
    public void failNextSend(Fault fault) {
        scene.discord.api().fail("/messages", fault);
    }

    @Override
    public void limitNextSend(Duration time) {
        scene.discord.closeFor(time);
    }

    @Override
    public Instant now() {
        return scene.clock.instant();
    }

    @Override
    public void pass(Duration time) {
        scene.clock.advance(time);
    }

    private Parcel lost(String marker, String text, Fault fault) throws InterruptedException {
        Parcel parcel = parcel(marker, text);
        failNextSend(fault);
        assertThat(transport().send(parcel)).isInstanceOf(SendResult.Unknown.class);
        return parcel;
    }

    @Test
    void textNeverMentionsEveryone() throws InterruptedException {
        transport().send(parcel("m1", "@everyone @here <@&901000000000000301> <@302050872383242240>"));

        JsonNode sent = Json.MAPPER.readTree(
                scene.discord.api().requests("/messages").getFirst().body());
        assertThat(sent.path("allowed_mentions").toString()).isEqualTo("{\"parse\":[\"users\"]}");
        assertThat(sent.path("enforce_nonce").asBoolean()).isTrue();
    }

    @Test
    void partFitsByBothCounts() throws InterruptedException {
        String emoji = "👍".repeat(transport().largestPart() / 2);

        assertThat(transport().size().applyAsInt(emoji)).isEqualTo(transport().largestPart());
        assertThat(transport().send(parcel("m1", emoji))).isInstanceOf(SendResult.Delivered.class);
    }

    @Test
    void aThreadOfDiscordIsAChannel() throws InterruptedException {
        DiscordChannel thread = scene.discord.open("901000000000000100");

        transport().send(new Parcel("m1", new ReplyTarget("discord", "g", channel.id(), thread.id()), "Hello.", now()));

        assertThat(thread.messages()).hasSize(1);
        assertThat(channel.messages()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "C06RY3YBSLE", "../users/@me", "1?x=", "１２３"})
    void invalidChannelIsNotCalled(String name) throws InterruptedException {
        Parcel parcel = new Parcel("m1", new ReplyTarget("discord", "", name, ""), "Hello.", now());

        assertThat(transport().send(parcel)).isInstanceOf(SendResult.Refused.class);
        transport().showTyping(parcel.target());
        assertThat(scene.discord.api().requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"50001,Missing Access", "50013,Missing Permissions", "50007,Cannot send messages to this user"})
    void missingPermissionIsRefused(int code, String message) throws InterruptedException {
        scene.discord.refuse(channel, code, message);

        assertThat(transport().send(parcel("m1", "Hello.")))
                .isInstanceOfSatisfying(
                        SendResult.Refused.class,
                        refused -> assertThat(refused.reason()).contains("code " + code));
    }

    private SendResult sendAnsweredWith(int status, String body, Map<String, String> headers)
            throws InterruptedException {
        LocalApi.Answer answer = LocalApi.Answer.json(status, body);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            answer = answer.with(header.getKey(), header.getValue());
        }
        failNextSend(new Fault.Instead(answer));
        return transport().send(parcel("m1", "Hello."));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504, 408})
    void openOutcomeIsUnknown(int status) throws InterruptedException {
        assertThat(sendAnsweredWith(status, "<html>", Map.of())).isInstanceOf(SendResult.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 403, 404, 413})
    void clientErrorIsRefused(int status) throws InterruptedException {
        assertThat(sendAnsweredWith(status, "<html>", Map.of())).isInstanceOf(SendResult.Refused.class);
    }

    /** The part is sent after an operator has repaired the token. */
    @Test
    void invalidTokenIsRetriedLater() throws InterruptedException {
        assertThat(sendAnsweredWith(401, "{}", Map.of()))
                .isEqualTo(new SendResult.NotNow("Discord does not accept the bot's token.", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"id\":7}", "{\"id\":\"x\"}", "not json"})
    void aSuccessWithoutAnIdIsUnknown(String body) throws InterruptedException {
        assertThat(sendAnsweredWith(200, body, Map.of())).isInstanceOf(SendResult.Unknown.class);
    }

    @Test
    void pauseIsReadFromTheBodyThenTheHeader() throws InterruptedException {
        assertThat(pause(sendAnsweredWith(429, "{\"retry_after\":1.337,\"global\":true}", Map.of("Retry-After", "2"))))
                .isEqualTo(Duration.ofMillis(1_337));
        assertThat(pause(sendAnsweredWith(429, "<html>", Map.of("Retry-After", "65"))))
                .isEqualTo(Duration.ofSeconds(65));
        assertThat(pause(sendAnsweredWith(429, "<html>", Map.of("Retry-After", "tomorrow"))))
                .isNull();
        assertThat(pause(sendAnsweredWith(429, "{\"retry_after\":-1}", Map.of())))
                .isNull();
        assertThat(pause(sendAnsweredWith(429, "{\"retry_after\":1e400}", Map.of())))
                .isNull();
    }

    private static @Nullable Duration pause(SendResult sent) {
        return ((SendResult.NotNow) sent).after();
    }

    @Test
    void rateLimitOfAChannelIsHonoured() throws InterruptedException {
        scene.discord.limitPosts(2, Duration.ofSeconds(5));
        transport().send(parcel("m1", "1"));
        transport().send(parcel("m2", "2"));

        assertThat(pause(transport().send(parcel("m3", "3")))).isEqualTo(Duration.ofSeconds(5));
        pass(Duration.ofSeconds(5));
        assertThat(transport().send(parcel("m3", "3"))).isInstanceOf(SendResult.Delivered.class);
        assertThat(shown()).extracting(Shown::text).containsExactly("1", "2", "3");
    }

    @Test
    void closedConnectionIsRetriedLater() throws InterruptedException {
        scene.discord.close();

        assertThat(transport().send(parcel("m1", "Hello."))).isInstanceOf(SendResult.NotNow.class);
    }

    @Test
    void typingIsShownAndMayFail() throws InterruptedException {
        transport().showTyping(target());
        transport().showTyping(unknownTarget());
        scene.discord.api().fail("/typing", new Fault.LoseAnswer());
        transport().showTyping(target());

        assertThat(scene.discord.typing()).containsExactly(channel.id(), channel.id());
    }

    // From here on histories lack nonces, as Discord does not promise them.

    @Test
    void partIsSentAgainAndPostedOnceWhileItsNonceIsRemembered() throws InterruptedException {
        scene.discord.showNonces(false);
        Parcel parcel = lost("m1", "Hello.", new Fault.LoseAnswer());

        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        assertThat(lookUp(parcel)).isInstanceOf(Lookup.SendAgain.class);
        SendResult again = transport().send(parcel);

        assertThat(shown()).hasSize(1);
        assertThat(again).isEqualTo(new SendResult.Delivered(shown().getFirst().externalId()));
    }

    /** A refusal of the second attempt does not decide about the first. */
    @Test
    void refusedSecondAttemptIsStillUnknown() throws InterruptedException {
        scene.discord.showNonces(false);
        Parcel parcel = lost("m1", "Hello.", new Fault.LoseAnswer());
        assertThat(lookUp(parcel)).isInstanceOf(Lookup.SendAgain.class);

        limitNextSend(Duration.ofMinutes(4));
        assertThat(transport().send(parcel)).isInstanceOf(SendResult.NotNow.class);
        pass(Duration.ofMinutes(4));

        assertThat(transport().lookUp(parcel))
                .isEqualTo(new Lookup.There(shown().getFirst().externalId()));
    }

    @Test
    void oldPartIsFoundByItsText() throws InterruptedException {
        scene.discord.showNonces(false);
        transport().send(parcel("m0", "Something else."));
        pass(Duration.ofSeconds(1));
        Parcel parcel = lost("m1", "  Hello, 世界.\n", new Fault.LoseAnswer());
        scene.discord.say(channel, OLIVIA, "Hello, 世界.");
        pass(Duration.ofMinutes(10));

        assertThat(transport().lookUp(parcel))
                .isEqualTo(new Lookup.There(shown().get(1).externalId()));
    }

    @Test
    void oldPartIsAbsentWithoutAnEqualText() throws InterruptedException {
        scene.discord.showNonces(false);
        transport().send(parcel("m0", "Something else."));
        Parcel parcel = lost("m1", "Hello.", new Fault.LoseRequest());
        scene.discord.say(channel, OLIVIA, "Hello.");
        pass(Duration.ofMinutes(10));

        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void ambiguousPartIsNeverSentAgain() throws InterruptedException {
        scene.discord.showNonces(false);
        transport().send(parcel("m0", "Yes."));
        pass(Duration.ofSeconds(1));
        Parcel before = lost("m1", "Yes.", new Fault.LoseRequest());
        pass(Duration.ofMinutes(10));

        assertThat(transport().lookUp(before)).isInstanceOf(Lookup.Unknowable.class);
    }

    @Test
    void aBusyChannelIsReadPageByPageUpToALimit() throws InterruptedException {
        scene.discord.showNonces(false);
        Parcel parcel = lost("m1", "Hello.", new Fault.LoseRequest());
        for (int i = 0; i < 250; i++) {
            scene.discord.say(channel, OLIVIA, "noise " + i);
        }
        pass(Duration.ofMinutes(10));

        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
        for (int i = 0; i < 1_000; i++) {
            scene.discord.say(channel, OLIVIA, "noise " + i);
        }
        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.Unknowable.class);
    }

    @Test
    void unreadableHistoryMattersOnlyAfterTheNoncesLifetime() throws InterruptedException {
        Parcel parcel = lost("m1", "Hello.", new Fault.LoseAnswer());
        pass(Duration.ofSeconds(30));
        failNextSend(new Fault.Instead(LocalApi.Answer.json(403, "{\"code\":50001}")));
        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.SendAgain.class);
        pass(Duration.ofMinutes(10));
        failNextSend(new Fault.Instead(LocalApi.Answer.json(403, "{\"code\":50001}")));
        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.Unknowable.class);
        for (Fault passing : List.of(
                new Fault.Instead(LocalApi.Answer.json(429, "{}")),
                new Fault.Instead(LocalApi.Answer.json(200, "not json")),
                new Fault.Instead(LocalApi.Answer.json(200, "[{\"id\":\"x\"}]")),
                new Fault.LoseAnswer())) {
            failNextSend(passing);
            assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        }
        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.There.class);
    }

    /** After a long wait the last attempt lost its answer, so Discord may still be processing it. */
    @Test
    void settleTimeCountsFromTheLastAttempt() throws InterruptedException {
        scene.discord.showNonces(false);
        Instant begun = now();
        pass(Duration.ofMinutes(10));
        Parcel parcel = new Parcel("m1", target(), "Hello.", begun, now());
        failNextSend(new Fault.LoseRequest());
        transport().send(parcel);

        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.NotYet.class);
        pass(Duration.ofSeconds(10));
        assertThat(transport().lookUp(parcel)).isInstanceOf(Lookup.Absent.class);
    }

    @Test
    void platformWithoutATokenHasNoTransport() {
        try (DiscordScene listening = new DiscordScene(null)) {
            assertThat(listening.platform.transport()).isEmpty();
        }
    }
}
