package dev.parley.platforms.discord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.DiscordCaller;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscordSignatureTest {
    private static final byte[] BODY = "{\"type\":1,\"note\":\"早\"}".getBytes(UTF_8);

    private final TestClock clock = TestClock.at(Instant.parse("2026-08-12T09:00:00Z"));
    private final DiscordCaller discord = new DiscordCaller();
    private final DiscordSignature signature = new DiscordSignature(discord.publicKey(), clock);

    private static InboundRequest request(String time, String signed, byte[] body) {
        return DiscordScene.request(
                "discord/interactions", Map.of("X-Signature-Timestamp", time, "X-Signature-Ed25519", signed), body);
    }

    private String now() {
        return Long.toString(clock.instant().getEpochSecond());
    }

    private void assertRefused(InboundRequest request) {
        assertThatThrownBy(() -> signature.require(request))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.UNAUTHENTICATED));
    }

    @Test
    void discordsSignatureIsAccepted() {
        String signed = discord.sign(now(), BODY);

        assertThatCode(() -> signature.require(request(now(), signed, BODY))).doesNotThrowAnyException();
        assertThatCode(() -> signature.require(request(now(), signed.toUpperCase(Locale.ROOT), BODY)))
                .doesNotThrowAnyException();
    }

    /** The first test vector of RFC 8032 with a message; the key may be in upper or lower case. */
    @Test
    void keysAreReadInEitherCase() {
        assertThatCode(() ->
                        new DiscordSignature("3D4017C3E843895A92B70AA74D1B7EBC9C982CCF2EC4968CC0CD55F12AF4660C", clock))
                .doesNotThrowAnyException();
    }

    @Test
    void changedByteIsRefused() {
        String signed = discord.sign(now(), BODY);
        for (int i = 0; i < BODY.length; i++) {
            byte[] changed = BODY.clone();
            changed[i] ^= 1;
            assertRefused(request(now(), signed, changed));
        }
    }

    @Test
    void otherTimeIsRefused() {
        String signed = discord.sign(now(), BODY);
        String later = Long.toString(clock.instant().getEpochSecond() + 1);

        assertRefused(request(later, signed, BODY));
    }

    @Test
    void otherApplicationsKeyIsRefused() {
        assertRefused(request(now(), new DiscordCaller().sign(now(), BODY), BODY));
    }

    @Test
    void fiveMinutesEitherWayAreAcceptedAndMoreRefused() {
        String time = now();
        InboundRequest request = request(time, discord.sign(time, BODY), BODY);

        clock.advance(Duration.ofMinutes(5));
        assertThatCode(() -> signature.require(request)).doesNotThrowAnyException();
        clock.advance(Duration.ofSeconds(1));
        assertRefused(request);
        clock.advance(Duration.ofMinutes(-10).minusSeconds(1));
        assertThatCode(() -> signature.require(request)).doesNotThrowAnyException();
        clock.advance(Duration.ofSeconds(-1));
        assertRefused(request);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1e9", "now", "99999999999999999999", " 1786525200", "１７８６５２５２００"})
    void malformedTimeIsRefused(String time) {
        assertRefused(request(time, discord.sign(time.replaceAll("[^\\x00-\\x7f]", "?"), BODY), BODY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "zz", "00", "not hex at all"})
    void malformedSignatureIsRefused(String signed) {
        assertRefused(request(now(), signed, BODY));
        assertRefused(request(now(), "0".repeat(128), BODY));
        assertRefused(request(now(), "f".repeat(128), BODY));
        assertRefused(request(now(), discord.sign(now(), BODY) + "00", BODY));
    }

    @Test
    void unsignedRequestIsRefused() {
        assertRefused(DiscordScene.request("discord/interactions", Map.of(), BODY));
        assertRefused(DiscordScene.request("discord/interactions", Map.of("X-Signature-Timestamp", now()), BODY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "abcd",
                "zz4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
                "0200000000000000000000000000000000000000000000000000000000000000"
            })
    void invalidKeyIsRefusedAtTheStart(String key) {
        assertThatIllegalArgumentException().isThrownBy(() -> new DiscordSignature(key, clock));
    }
}
