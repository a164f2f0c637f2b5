package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UserTokensTest {
    private static final UUID OLIVIA = UUID.randomUUID();
    private final TestClock clock = TestClock.at(Instant.parse("2030-01-01T12:00:00Z"));

    private UserTokens tokens(String... secrets) {
        return new UserTokens(
                new AuthSettings(
                        List.of(secrets).stream()
                                .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
                                .toList(),
                        Optional.empty(),
                        "authenticated",
                        Optional.of("parley"),
                        Set.of(Actor.user(OLIVIA)),
                        Optional.empty(),
                        Optional.empty(),
                        200),
                clock);
    }

    @Test
    void aMintedTokenNamesItsUserUntilItExpires() {
        UserTokens tokens = tokens("s".repeat(32));
        String token = tokens.mint(OLIVIA, "Olivia", Duration.ofMinutes(5));
        assertThat(tokens.verify(token))
                .isEqualTo(new UserTokens.Verified(
                        new Principal.User(
                                OLIVIA, "Olivia", true, clock.instant().plus(Duration.ofSeconds(330))),
                        clock.instant().plus(Duration.ofMinutes(5))));
        clock.advance(Duration.ofMinutes(6));
        assertRefused(tokens, token);
    }

    @Test
    void onlyListedUsersAreOperatorsAndANameIsOptional() {
        UserTokens tokens = tokens("s".repeat(32));
        UUID bob = UUID.randomUUID();
        assertThat(tokens.verify(tokens.mint(bob, null, Duration.ofMinutes(5))).user())
                .isEqualTo(new Principal.User(
                        bob, "user:" + bob, false, clock.instant().plus(Duration.ofSeconds(330))));
    }

    @Test
    void aRotatedSecretVerifiesButNoLongerSigns() {
        UserTokens before = tokens("old-".repeat(8));
        UserTokens during = tokens("new-".repeat(8), "old-".repeat(8));
        UserTokens after = tokens("new-".repeat(8));
        String old = before.mint(OLIVIA, null, Duration.ofMinutes(5));
        assertThat(during.verify(old).user().id()).isEqualTo(OLIVIA);
        assertRefused(after, old);
        String fresh = during.mint(OLIVIA, null, Duration.ofMinutes(5));
        assertThat(after.verify(fresh).user().id()).isEqualTo(OLIVIA);
        assertRefused(before, fresh);
    }

    @Test
    void aWeakSecretIsNotUsed() {
        assertThatThrownBy(() -> tokens("s".repeat(31))).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertRefused(UserTokens tokens, String token) {
        assertThatThrownBy(() -> tokens.verify(token))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.UNAUTHENTICATED));
    }
}
