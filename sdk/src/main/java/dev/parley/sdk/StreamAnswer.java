package dev.parley.sdk;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;

/** The server's answer to the request for a stream: the open stream, its end, or the body of a refusal. */
sealed interface StreamAnswer {
    int MAX_REFUSAL_BYTES = 1024 * 1024;

    /** The stream is open. */
    record Open(ByteFeed feed) implements StreamAnswer {}

    /** The stream is over: no event will ever follow the requested position. */
    record Ended() implements StreamAnswer {}

    /** The server refuses the stream. */
    record Refused(byte[] body) implements StreamAnswer {}

    static BodySubscriber<StreamAnswer> subscriber(HttpResponse.ResponseInfo head) {
        if (head.statusCode() == 204) {
            return BodySubscribers.replacing(new Ended());
        }
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
