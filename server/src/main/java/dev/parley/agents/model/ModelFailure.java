package dev.parley.agents.model;

import dev.parley.protocol.agent.UpstreamFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why a model did not answer: a code, and a sentence for everybody who sees the run, without addresses, secrets or
 * anything that the provider wrote. Those stand in {@link #upstream}, for operators and the agent's owner.
 */
final class ModelFailure extends Exception {
    /** Whether asking again may help. */
    enum Again {
        NO,
        YES
    }

    private final String code;
    private final Again again;
    private final @Nullable Duration after;
    private final @Nullable String words;
    private final @Nullable UpstreamFailure upstream;

    private ModelFailure(String code, String sentence, Again again, @Nullable Duration after) {
        this(code, sentence, again, after, null, null);
    }

    private ModelFailure(
            String code,
            String sentence,
            Again again,
            @Nullable Duration after,
            @Nullable String words,
            @Nullable UpstreamFailure upstream) {
        // No stack trace: this is how a run ends, not a fault of ours.
        super(sentence, null, false, false);
        this.code = code;
        this.again = again;
        this.after = after;
        this.words = words;
        this.upstream = upstream;
    }

    /** The same with the provider's answer as it came, which may hold anything. */
    ModelFailure saying(String answer) {
        return new ModelFailure(code, sentence(), again, after, answer, upstream);
    }

    /** The same with where it happened. */
    ModelFailure at(UpstreamFailure where) {
        return new ModelFailure(code, sentence(), again, after, words, where);
    }

    /** The provider's answer as it came; null if it has none. */
    @Nullable
    String words() {
        return words;
    }

    /** Null if no provider was asked. */
    @Nullable
    UpstreamFailure upstream() {
        return upstream;
    }

    /** The status of the provider's answer, for logs: neither its words, which may quote a prompt, nor its address. */
    String status() {
        return upstream == null || upstream.status() == null ? "no status" : "status " + upstream.status();
    }

    String code() {
        return code;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }

    boolean mayBeTriedAgain() {
        return again == Again.YES;
    }

    /** When the provider would like to be asked again; null if it did not say. */
    @Nullable
    Duration after() {
        return after;
    }

    private static ModelFailure lasting(String code, String sentence) {
        return new ModelFailure(code, sentence, Again.NO, null);
    }

    private static ModelFailure passing(String code, String sentence, @Nullable Duration after) {
        return new ModelFailure(code, sentence, Again.YES, after);
    }

    static ModelFailure unreachable() {
        return passing("model_unreachable", "The model could not be reached.", null);
    }

    static ModelFailure silent(Duration silence) {
        return lasting(
                "model_silent",
                "The model sent nothing for "
                        + (silence.toSeconds() > 0 ? silence.toSeconds() + " s" : silence.toMillis() + " ms") + ".");
    }

    static ModelFailure truncated() {
        return passing("model_truncated", "The model's answer broke off before its end.", null);
    }

    /** @param what completes the sentence "The model sent …" */
    static ModelFailure protocol(String what) {
        return lasting("model_protocol", "The model sent " + what + ".");
    }

    static ModelFailure rateLimited(Again again, @Nullable Duration after) {
        return new ModelFailure("model_rate_limited", "The model's provider takes no more requests now.", again, after);
    }

    static ModelFailure overloaded(@Nullable Duration after) {
        return passing("model_overloaded", "The model's provider is overloaded or failed.", after);
    }

    static ModelFailure refused() {
        return lasting("model_refused_request", "The model's provider refused the request.");
    }

    static ModelFailure unauthorized() {
        return lasting("model_unauthorized", "The model's provider did not accept the agent's key.");
    }

    static ModelFailure notFound() {
        return lasting("model_not_found", "The model's provider does not know the model.");
    }

    /** @param path the end of the address, which the provider's wire format decides */
    static ModelFailure addressNotFound(String path) {
        return lasting(
                "model_address_not_found",
                "The model's provider knows no " + path
                        + ": the agent's base_url is wrong (does it lack /v1?), or the model's name is.");
    }

    static ModelFailure contextTooLong() {
        return lasting("context_too_long", "The conversation is longer than the model can take.");
    }

    static ModelFailure filtered() {
        return lasting("content_filtered", "The model's provider held the answer back.");
    }

    static ModelFailure tooManyRequests(int most) {
        return lasting(
                "too_many_model_requests",
                "The agent stopped: it asked its model " + most + " times, which is its limit for one run.");
    }

    static ModelFailure budgetExceeded() {
        return lasting("budget_exceeded", "The budget for models is used up.");
    }

    static ModelFailure misconfigured(String why) {
        return lasting("agent_misconfigured", "The agent is not configured right: " + why + ".");
    }
}
