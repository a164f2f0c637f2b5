package dev.parley.agents.model;

import dev.parley.agents.model.ModelFailure.Retry;
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

/** Classifies a provider's errors: its answers without a stream, and the errors within a stream. */
final class Refusals {
    /** Messages of the providers about a context that is too long. */
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

    /** Messages about rate limits; 429 counts only as a whole number, since token counts may contain these digits. */
    private static final Pattern RATE =
            Pattern.compile("rate_limit|resource_exhausted|insufficient_quota|(?<![0-9.,])429(?![0-9]|[.,][0-9])");

    private static final Pattern OVERLOADED = Pattern.compile("overloaded|unavailable|server_error|internal|api_error");
    private static final Pattern INVALID = Pattern.compile("invalid_request|invalid_argument");

    /**
     * Messages from providers about an unknown model. If the path is wrong instead, providers send other messages, or a
     * web page.
     */
    private static final Pattern UNKNOWN_MODEL = Pattern.compile("model_not_found|model_not_exist|unknown model"
            + "|\\bmodels?\\b[^{}]{0,240}?\\b(not found|not exist|not available|not supported)"
            + "|\"message\"\\s*:\\s*\"model:|no endpoints found for|not a valid model");

    private Refusals() {}

    /**
     * The address of a request.
     *
     * @param path the path after the provider's base address; it depends on the wire format
     * @param configured true if an operator set the base address, which may then be wrong
     */
    record Address(String path, boolean configured) {}

    /** @param body the body of the answer, which readers of the run must not see */
    static ModelFailure of(int status, String body, @Nullable Duration after, Address address) {
        ModelFailure failure = of(status, body.toLowerCase(Locale.ROOT), address, after);
        return body.isBlank() ? failure : failure.withAnswer(body);
    }

    private static ModelFailure of(int status, String text, Address address, @Nullable Duration after) {
        if (status >= 300 && status < 400) {
            return ModelFailure.protocol("a redirect, and redirects are not followed");
        }
        return switch (status) {
            case 401, 403 -> ModelFailure.unauthorized();
            case 404, 405 ->
                !address.configured() || namesModel(text)
                        ? ModelFailure.notFound()
                        : ModelFailure.addressNotFound(address.path());
            case 429 -> ModelFailure.rateLimited(OUT_OF_CREDIT.matcher(text).find() ? Retry.NO : Retry.YES, after);
            case 400, 413, 422 -> ofText(text).orElseGet(ModelFailure::refused);
            case 408, 409 -> ModelFailure.overloaded(after);
            default ->
                status >= 500
                        ? ModelFailure.overloaded(after)
                        : status >= 400
                                ? ModelFailure.refused()
                                : ModelFailure.protocol("status " + status + " instead of an answer");
        };
    }

    private static boolean namesModel(String text) {
        return text.strip().startsWith("{") && UNKNOWN_MODEL.matcher(text).find();
    }

    /** Classifies an error within a stream; its code, status and type are checked before its message. */
    static ModelFailure inStream(JsonNode error) {
        String text = error.toString().toLowerCase(Locale.ROOT);
        String kind = Stream.of("code", "status", "type")
                .map(member -> error.path(member).asString(""))
                .collect(Collectors.joining(" "))
                .toLowerCase(Locale.ROOT);
        return ofText(text)
                .or(() -> ofKind(kind))
                .or(() -> ofKind(text))
                .orElseGet(() -> ModelFailure.overloaded(null))
                .withAnswer(error.toString());
    }

    private static Optional<ModelFailure> ofKind(String text) {
        if (RATE.matcher(text).find()) {
            return Optional.of(
                    ModelFailure.rateLimited(OUT_OF_CREDIT.matcher(text).find() ? Retry.NO : Retry.YES, null));
        }
        if (INVALID.matcher(text).find()) {
            return Optional.of(ModelFailure.refused());
        }
        return OVERLOADED.matcher(text).find() ? Optional.of(ModelFailure.overloaded(null)) : Optional.empty();
    }

    private static Optional<ModelFailure> ofText(String text) {
        if (TOO_LONG.matcher(text).find()) {
            return Optional.of(ModelFailure.contextTooLong());
        }
        if (FILTERED.matcher(text).find()) {
            return Optional.of(ModelFailure.filtered());
        }
        if (BAD_KEY.matcher(text).find()) {
            return Optional.of(ModelFailure.unauthorized());
        }
        return Optional.empty();
    }

    /** The wait of a Retry-After header: seconds or a date (RFC 9110, 10.2.3); null if it has neither. */
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
