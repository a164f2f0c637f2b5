package dev.parley.sdk;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;

/** What came back when a stream was asked for: the open stream, or a body that says why not. */
sealed interface StreamAnswer {
    int MAX_REFUSAL_BYTES = 1024 * 1024;

    /** The stream is open. */
    record Open(ByteFeed feed) implements StreamAnswer {}

    /** It is not. */
    record Refused(byte[] body) implements StreamAnswer {}

    static BodySubscriber<StreamAnswer> subscriber(HttpResponse.ResponseInfo head) {
        return isEventStream(head)
                ? BodySubscribers.mapping(new ByteFeed(), Open::new)
                : BodySubscribers.mapping(
                        BodySubscribers.limiting(BodySubscribers.ofByteArray(), MAX_REFUSAL_BYTES), Refused::new);
    }

    private static boolean isEventStream(HttpResponse.ResponseInfo head) {
        return head.statusCode() == 200
                && head.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.startsWith("text/event-stream"))
                        .isPresent();
    }
}
