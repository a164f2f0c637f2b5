package dev.parley.agents.remote;

import java.time.Duration;

/** The failure of a remote agent's run: a code, and a sentence for all readers of the run, free of URLs and secrets. */
final class RemoteFailure extends Exception {
    private final String code;

    private RemoteFailure(String code, String message) {
        // No stack trace: the failure ends a run, it is not a bug.
        super(message, null, false, false);
        this.code = code;
    }

    String code() {
        return code;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }

    static RemoteFailure unreachable() {
        return new RemoteFailure("remote_unreachable", "The remote agent could not be reached.");
    }

    static RemoteFailure status(int status) {
        String redirect = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
        return new RemoteFailure("remote_status", "The remote agent answered with status " + status + redirect + ".");
    }

    static RemoteFailure silent(Duration silence) {
        return new RemoteFailure(
                "remote_silent",
                "The remote agent sent nothing for "
                        + (silence.toSeconds() > 0 ? silence.toSeconds() + " s" : silence.toMillis() + " ms") + ".");
    }

    static RemoteFailure truncated() {
        return new RemoteFailure("remote_truncated", "The remote agent's answer broke off before its end.");
    }

    /** @param content completes the sentence "The remote agent sent …" */
    static RemoteFailure protocol(String content) {
        return new RemoteFailure("remote_protocol", "The remote agent sent " + content + ".");
    }

    static RemoteFailure misconfigured(String reason) {
        return new RemoteFailure("agent_misconfigured", "The agent is misconfigured: " + reason + ".");
    }
}
