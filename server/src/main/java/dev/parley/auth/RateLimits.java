package dev.parley.auth;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The rate limits of callers on this node. */
public final class RateLimits {
    private record Meter(Rate rate, String caller) {}

    private final boolean on;
    private final LoadingCache<Meter, Bucket> buckets;

    public RateLimits(Limits.Rates limits, boolean on) {
        this.on = on;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(100_000)
                // A bucket untouched for longer than its period is full again, so its removal loses nothing.
                .expireAfterAccess(Duration.ofMinutes(5))
                .build(meter -> bucket(perMinute(limits, meter.rate())));
    }

    private static int perMinute(Limits.Rates limits, Rate rate) {
        return switch (rate) {
            case USER_MESSAGE -> limits.userMessages();
            case AGENT_MESSAGE -> limits.agentMessages();
            case THREAD_OPERATION -> limits.threadOperations();
            case POLL -> limits.polls();
            case RUN_EVENTS -> limits.runEvents();
            case UPLOAD -> limits.uploads();
            case INGEST -> limits.ingest();
        };
    }

    private static Bucket bucket(int perMinute) {
        return Bucket.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(perMinute)
                        .refillGreedy(perMinute, Duration.ofMinutes(1))
                        .build())
                .build();
    }

    /** Counts a call. Refuses a call above the limit, with the seconds to wait. */
    public void count(Principal caller, Rate rate) {
        count(new Meter(rate, caller.meteredAs()));
    }

    /** Counts a call that a credential makes in the name of its holder. */
    public void count(Actor holder, Rate rate) {
        count(new Meter(rate, holder.value()));
    }

    private void count(Meter meter) {
        if (!on) {
            return;
        }
        ConsumptionProbe probe = buckets.get(meter).tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill() + 999_999_999L));
            throw new ProblemException(
                    Problem.RATE_LIMITED,
                    "You do this too often; try again in " + seconds + " s.",
                    List.of(),
                    Map.of("retry_after", seconds));
        }
    }
}
