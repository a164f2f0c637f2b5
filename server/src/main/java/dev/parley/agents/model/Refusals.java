package dev.parley.agents.model;

import dev.parley.agents.model.ModelFailure.Again;
import dev.parley.protocol.Alphabet;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Tells from what a provider answered instead of a stream, or in the middle of one, what went wrong. */
final class Refusals {
    /** Providers say it in words, each in its own. */
    private static final Pattern TOO_LONG =
            Pattern.compile("context_length_exceeded|maximum context length|context window"
                    + "|prompt is too long|input is too long|input length and .?max_tokens.? exceed|exceed_context_size"
                    + "|exceeds the (maximum|available) (number of tokens|context)|input token count|too many tokens"
                    + "|request_too_large");

    private static final Pattern FILTERED =
            Pattern.compile("content_filter|content_policy_violation|blocked by .{0,240}safety");
    private static final Pattern BAD_KEY = Pattern.compile("api[_ ]key[_ ](not valid|invalid)|invalid[_ ]api[_ ]key");
    private static final Pattern OUT_OF_CREDIT =
            Pattern.compile("insufficient_quota|credit balance is too low|billing");

    /** The number is one only where it stands alone: counts of tokens have it in them, too. */
    private static final Pattern RATE =
            Pattern.compile("rate_limit|resource_exhausted|insufficient_quota|(?<![0-9.,])429(?![0-9]|[.,][0-9])");

    private static final Pattern OVERLOADED = Pattern.compile("overloaded|unavailable|server_error|internal|api_error");
    private static final Pattern INVALID = Pattern.compile("invalid_request|invalid_argument");

    /** How providers say that it is the model they do not have; a wrong path is answered in other words, or by a page. */
    private static final Pattern UNKNOWN_MODEL = Pattern.compile("model_not_found|model_not_exist|unknown model"
            + "|\\bmodels?\\b[^{}]{0,240}?\\b(not found|not exist|not available|not supported)"
            + "|\"message\"\\s*:\\s*\"model:|no endpoints found for|not a valid model");

    private Refusals() {}

    /**
     * An address that was called.
     *
     * @param path what the wire format puts behind the provider's base address
     * @param configured whether an operator wrote the base address, and may be mistaken
     */
    record Address(String path, boolean configured) {}

    /** @param body what came with the status, for our eyes only */
    static ModelFailure of(int status, String body, @Nullable Duration after, Address address) {
        ModelFailure failure = of(status, body.toLowerCase(Locale.ROOT), address, after);
        return body.isBlank() ? failure : failure.saying(body);
    }

    private static ModelFailure of(int status, String words, Address address, @Nullable Duration after) {
        if (status >= 300 && status < 400) {
            return ModelFailure.protocol("a redirect, and redirects are not followed");
        }
        return switch (status) {
            case 401, 403 -> ModelFailure.unauthorized();
            case 404, 405 ->
                !address.configured() || namesModel(words)
                        ? ModelFailure.notFound()
                        : ModelFailure.addressNotFound(address.path());
            case 429 -> ModelFailure.rateLimited(OUT_OF_CREDIT.matcher(words).find() ? Again.NO : Again.YES, after);
            case 400, 413, 422 -> ofWords(words).orElseGet(ModelFailure::refused);
            case 408, 409 -> ModelFailure.overloaded(after);
            default ->
                status >= 500
                        ? ModelFailure.overloaded(after)
                        : status >= 400
                                ? ModelFailure.refused()
                                : ModelFailure.protocol("status " + status + " instead of an answer");
        };
    }

    private static boolean namesModel(String words) {
        return words.strip().startsWith("{") && UNKNOWN_MODEL.matcher(words).find();
    }

    /** An error that came where the answer should have gone on: what its members say counts before its words. */
    static ModelFailure inStream(JsonNode error) {
        String words = error.toString().toLowerCase(Locale.ROOT);
        String kind = Stream.of("code", "status", "type")
                .map(member -> error.path(member).asString(""))
                .collect(Collectors.joining(" "))
                .toLowerCase(Locale.ROOT);
        return ofWords(words)
                .or(() -> ofKind(kind))
                .or(() -> ofKind(words))
                .orElseGet(() -> ModelFailure.overloaded(null))
                .saying(error.toString());
    }

    private static Optional<ModelFailure> ofKind(String words) {
        if (RATE.matcher(words).find()) {
            return Optional.of(
                    ModelFailure.rateLimited(OUT_OF_CREDIT.matcher(words).find() ? Again.NO : Again.YES, null));
        }
        if (INVALID.matcher(words).find()) {
            return Optional.of(ModelFailure.refused());
        }
        return OVERLOADED.matcher(words).find() ? Optional.of(ModelFailure.overloaded(null)) : Optional.empty();
    }

    private static Optional<ModelFailure> ofWords(String words) {
        if (TOO_LONG.matcher(words).find()) {
            return Optional.of(ModelFailure.contextTooLong());
        }
        if (FILTERED.matcher(words).find()) {
            return Optional.of(ModelFailure.filtered());
        }
        if (BAD_KEY.matcher(words).find()) {
            return Optional.of(ModelFailure.unauthorized());
        }
        return Optional.empty();
    }

    /** What a Retry-After says: seconds, or a date. */
    static @Nullable Duration after(@Nullable String header, Clock clock) {
        if (header == null) {
            return null;
        }
        try {
            if (Alphabet.DIGITS.spells(header.strip(), 1, 9)) {
                return Duration.ofSeconds(Long.parseLong(header.strip()));
            }
            Instant then = ZonedDateTime.parse(header.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(clock.instant(), then);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeException unreadable) {
            return null;
        }
    }
}
