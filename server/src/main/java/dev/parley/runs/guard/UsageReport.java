package dev.parley.runs.guard;

import dev.parley.basics.Text;
import dev.parley.protocol.agui.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the usage that an agent reports with the last event of its run. A report is never refused, because the run's
 * answer would be lost with it. Instead, requests beyond the limit are summed into the last item, and names are
 * repaired and cut.
 */
final class UsageReport {
    static final int MAX_ITEMS = 100;

    /** The maximum number of code points in the name of a provider or a model. */
    static final int MAX_NAME = 200;

    private UsageReport() {}

    static List<TokenUsage> bounded(List<TokenUsage> reported) {
        int apart = reported.size() <= MAX_ITEMS ? reported.size() : MAX_ITEMS - 1;
        List<TokenUsage> bounded = new ArrayList<>(Math.min(reported.size(), MAX_ITEMS));
        reported.subList(0, apart).forEach(each -> bounded.add(named(each)));
        reported.subList(apart, reported.size()).stream()
                .reduce(UsageReport::sum)
                .ifPresent(rest -> bounded.add(named(rest)));
        return bounded;
    }

    private static TokenUsage named(TokenUsage usage) {
        return new TokenUsage(
                name(usage.provider()),
                name(usage.model()),
                usage.inputTokens(),
                usage.outputTokens(),
                usage.totalTokens(),
                usage.reasoningTokens(),
                usage.cachedInputTokens(),
                usage.cacheWriteInputTokens());
    }

    private static @Nullable String name(@Nullable String given) {
        if (given == null) {
            return null;
        }
        String mended = Text.mended(given);
        return Text.isAtMost(mended, MAX_NAME) ? mended : mended.substring(0, mended.offsetByCodePoints(0, MAX_NAME));
    }

    /** A sum over several models contains no model's name, so the sum has no price. */
    private static TokenUsage sum(TokenUsage a, TokenUsage b) {
        return new TokenUsage(
                same(a, b, TokenUsage::provider),
                same(a, b, TokenUsage::model),
                sum(a, b, TokenUsage::inputTokens),
                sum(a, b, TokenUsage::outputTokens),
                sum(a, b, TokenUsage::totalTokens),
                sum(a, b, TokenUsage::reasoningTokens),
                sum(a, b, TokenUsage::cachedInputTokens),
                sum(a, b, TokenUsage::cacheWriteInputTokens));
    }

    private static @Nullable String same(TokenUsage a, TokenUsage b, Function<TokenUsage, @Nullable String> name) {
        String first = name.apply(a);
        return Objects.equals(first, name.apply(b)) ? first : null;
    }

    private static @Nullable Long sum(TokenUsage a, TokenUsage b, Function<TokenUsage, @Nullable Long> count) {
        Long first = count.apply(a);
        Long second = count.apply(b);
        return first == null ? second : second == null ? first : Long.valueOf(saturated(first, second));
    }

    private static long saturated(long a, long b) {
        long first = Math.max(0, a);
        long second = Math.max(0, b);
        return second > Long.MAX_VALUE - first ? Long.MAX_VALUE : first + second;
    }
}
