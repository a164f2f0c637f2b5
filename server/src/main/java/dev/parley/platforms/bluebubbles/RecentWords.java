package dev.parley.platforms.bluebubbles;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.text.Normalizer;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What we said of late, and under which marker. In the chat with oneself the Mac shows it a second time as somebody
 * else's, without the marker; unrecognised, an agent would answer itself for ever.
 */
final class RecentWords {
    static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final int MOST = 10_000;

    private final Cache<Said, String> markers;

    RecentWords(Clock clock) {
        this.markers = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(REMEMBERED)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    private record Said(String chat, String words) {}

    void note(String chat, String text, String marker) {
        markers.put(new Said(chat, plain(text)), marker);
    }

    @Nullable
    String markerOf(String chat, String text) {
        return markers.getIfPresent(new Said(chat, plain(text)));
    }

    /** The Mac takes white space away at both ends, and may compose characters otherwise. */
    static String plain(String text) {
        return Normalizer.normalize(text.replace("\r\n", "\n").strip(), Normalizer.Form.NFC);
    }
}
