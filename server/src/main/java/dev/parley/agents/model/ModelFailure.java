package dev.parley.agents.model;

import dev.parley.protocol.agent.UpstreamFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a model's answer: a code, and a sentence for all readers of the run. The sentence contains no URL, no
 * secret and no text from the provider. {@link #upstream} has the masked URL and text, for operators and the agent's
 * owner.
 */
final class ModelFailure extends Exception {
    /** YES if a retry may help. */
    enum Retry {
        NO,
        YES
    }

    private final String code;
    private final Retry retry;
    private final @Nullable Duration after;
    private final @Nullable String answer;
    private final @Nullable UpstreamFailure upstream;

    private ModelFailure(String code, String sentence, Retry retry, @Nullable Duration after) {
        this(code, sentence, retry, after, null, null);
    }

    private ModelFailure(
            String code,
            String sentence,
            Retry retry,
            @Nullable Duration after,
            @Nullable String answer,
            @Nullable UpstreamFailure upstream) {
        // No stack trace: the failure ends a run, it is not a bug.
        super(sentence, null, false, false);
        this.code = code;
        this.retry = retry;
        this.after = after;
        this.answer = answer;
        this.upstream = upstream;
    }

    /** The failure with the provider's raw answer, which may hold secrets and prompts. */
    ModelFailure withAnswer(String answer) {
        return new ModelFailure(code, sentence(), retry, after, answer, upstream);
    }

    /** The failure with its record for operators. */
    ModelFailure withUpstream(UpstreamFailure upstream) {
        return new ModelFailure(code, sentence(), retry, after, answer, upstream);
    }

    /** The provider's raw answer; null if there is none. */
    @Nullable
    String answer() {
        return answer;
    }

    /** The record of the failure for operators; null if no provider was asked. */
    @Nullable
    UpstreamFailure upstream() {
        return upstream;
    }

    /**
     * The status of the provider's answer, for logs. The address is left out, and so is the answer's text, which may
     * quote a prompt.
     */
    String status() {
        return upstream == null || upstream.status() == null ? "no status" : "status " + upstream.status();
    }

    String code() {
        return code;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }

    boolean mayBeRetried() {
        return retry == Retry.YES;
    }

    /** The wait that the provider asks for before a retry; null if the provider names no wait. */
    @Nullable
    Duration after() {
        return after;
    }

    private static ModelFailure permanent(String code, String sentence) {
        return new ModelFailure(code, sentence, Retry.NO, null);
    }

    private static ModelFailure retryable(String code, String sentence, @Nullable Duration after) {
        return new ModelFailure(code, sentence, Retry.YES, after);
    }

    static ModelFailure unreachable() {
        return retryable("model_unreachable", "The model could not be reached.", null);
    }

    static ModelFailure silent(Duration silence) {
        return permanent(
                "model_silent",
                "The model sent nothing for "
                        + (silence.toSeconds() > 0 ? silence.toSeconds() + " s" : silence.toMillis() + " ms") + ".");
    }

    static ModelFailure truncated() {
        return retryable("model_truncated", "The model's answer broke off before its end.", null);
    }

    /** @param content completes the sentence "The model sent …" */
    static ModelFailure protocol(String content) {
        return permanent("model_protocol", "The model sent " + content + ".");
    }

    static ModelFailure rateLimited(Retry retry, @Nullable Duration after) {
        return new ModelFailure("model_rate_limited", "The model's provider takes no more requests now.", retry, after);
    }

    static ModelFailure overloaded(@Nullable Duration after) {
        return retryable("model_overloaded", "The model's provider is overloaded or failed.", after);
    }

    static ModelFailure refused() {
        return permanent("model_refused_request", "The model's provider refused the request.");
    }

    static ModelFailure unauthorized() {
        return permanent("model_unauthorized", "The model's provider did not accept the agent's key.");
    }

    static ModelFailure notFound() {
        return permanent("model_not_found", "The model's provider does not know the model.");
    }

    /** @param path the end of the URL, which depends on the provider's wire format */
    static ModelFailure addressNotFound(String path) {
        return permanent(
                "model_address_not_found",
                "The model's provider knows no " + path
                        + ": the agent's base_url is wrong (does it lack /v1?), or the model's name is.");
    }

    static ModelFailure contextTooLong() {
        return permanent("context_too_long", "The conversation is longer than the model can take.");
    }

    static ModelFailure filtered() {
        return permanent("content_filtered", "The model's provider held the answer back.");
    }

    static ModelFailure tooManyRequests(int limit) {
        return permanent(
                "too_many_model_requests",
                "The agent stopped: it asked its model " + limit + " times, which is its limit for one run.");
    }

    static ModelFailure budgetExceeded() {
        return permanent("budget_exceeded", "The budget for models is used up.");
    }

    static ModelFailure misconfigured(String reason) {
        return permanent("agent_misconfigured", "The agent is misconfigured: " + reason + ".");
    }
}
