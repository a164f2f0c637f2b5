package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Actor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RulesTest {
    private static final RetryPolicy POLICY =
            new RetryPolicy(5, Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofMillis(300));

    @Test
    void pausesGrowWithinTheirBoundsAndEndWithTheAttempts() {
        Random random = new Random(1);
        for (int attempt = 1; attempt < 5; attempt++) {
            Duration pause = POLICY.pauseAfter(attempt, Duration.ZERO, Duration.ZERO, random)
                    .orElseThrow();
            long full = Math.min(300, 100L << (attempt - 1));
            assertThat(pause).isBetween(Duration.ofMillis(full / 2), Duration.ofMillis(full));
        }
        assertThat(POLICY.pauseAfter(5, Duration.ZERO, Duration.ZERO, random)).isEmpty();
    }

    @Test
    void pauseIsAtLeastTheServersAndAtMostTheLimit() {
        Random random = new Random(1);
        assertThat(POLICY.pauseAfter(1, Duration.ZERO, Duration.ofSeconds(5), random)
                        .orElseThrow())
                .isBetween(Duration.ofSeconds(5), Duration.ofMillis(5100));
        assertThat(POLICY.pauseAfter(1, Duration.ZERO, Duration.ofSeconds(11), random))
                .isEmpty();
        assertThat(POLICY.pauseAfter(1, Duration.ofSeconds(10), Duration.ZERO, random))
                .isEmpty();
    }

    @Test
    void theHundredthPauseIsStillTheLongestOne() {
        RetryPolicy streams = RetryPolicy.streams();
        assertThat(streams.pauseAfter(100, Duration.ZERO, Duration.ZERO, new Random(1))
                        .orElseThrow())
                .isBetween(streams.longestPause().dividedBy(2), streams.longestPause());
    }

    @Test
    void cursorsReadAndWriteEventIdsAndOrderThem() {
        assertThat(Cursor.parse("12").orElseThrow()).isEqualTo(Cursor.after(12)).hasToString("12");
        assertThat(Cursor.parse("12-457").orElseThrow()).hasToString("12-457");
        assertThat(List.of("", "-1", "x", "1-", "1-2-3", " 1", "9999999999999999999"))
                .allMatch(text -> Cursor.parse(text).isEmpty());
        assertThat(Cursor.after(12)).isLessThan(new Cursor(12, 457)).isGreaterThan(new Cursor(11, 999));
    }

    @Test
    void onlyTheNextEntryOrALaterPositionFollows() {
        Cursor at = new Cursor(12, 457);
        assertThat(Cursor.after(13).follows(at)).isTrue();
        assertThat(new Cursor(12, 458).follows(at)).isTrue();
        assertThat(Cursor.after(14).follows(at)).isFalse();
        assertThat(new Cursor(13, 460).follows(at)).isFalse();
        assertThat(new Cursor(12, 457).follows(at)).isFalse();
    }

    @Test
    void stalenessAndEngagementAreWorkedOutLocally() {
        Actor me = Actor.agent(new UUID(1, 1));
        Actor other = Actor.agent(new UUID(1, 2));
        Actor human = Actor.user(new UUID(1, 3));
        assertThat(Participation.isStale(3L, 3L)).isFalse();
        assertThat(Participation.isStale(2L, 3L)).isTrue();
        assertThat(Participation.computeStaleLag(2L, 5L)).isEqualTo(3);
        assertThat(Participation.computeStaleLag(5L, 2L)).isZero();
        assertThat(Participation.shouldRespond("open", me, List.of(), human)).isTrue();
        assertThat(Participation.shouldRespond("open", me, List.of(), other)).isFalse();
        assertThat(Participation.shouldRespond("open", me, List.of(me), other)).isTrue();
        assertThat(Participation.shouldRespond("open", me, List.of(me), me)).isFalse();
        assertThat(Participation.shouldRespond("invocation_only", me, List.of(), human))
                .isFalse();
        assertThat(Participation.shouldRespond("invocation_only", me, List.of(me), human))
                .isTrue();
    }

    @Test
    void stalenessAndEngagement_absentFields_areNotStaleAndOpen() {
        Actor me = Actor.agent(new UUID(1, 1));
        Actor human = Actor.user(new UUID(1, 3));
        assertThat(Participation.isStale(null, 3L)).isFalse();
        assertThat(Participation.isStale(3L, null)).isFalse();
        assertThat(Participation.computeStaleLag(null, 3L)).isZero();
        assertThat(Participation.shouldRespond(null, me, null, human)).isTrue();
        assertThat(Participation.shouldRespond("invocation_only", me, null, human))
                .isFalse();
        assertThat(Participation.shouldRespond("open", me, List.of(me), null)).isFalse();
    }

    @Test
    void aTokenNeverShowsItselfAndAnAddressMustBeHttp() {
        assertThat(new Token("secret")).asString().doesNotContain("secret");
        assertThatThrownBy(() -> Parley.at(URI.create("ftp://somewhere")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://");
    }
}
