package dev.parley.sdk;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.function.LongConsumer;

/**
 * A body that reports the number of bytes that the connection has taken. The connection takes no more than it can send
 * soon, so the count is close to the bytes sent.
 */
record CountedBody(BodyPublisher body, LongConsumer taken) implements BodyPublisher {
    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        body.subscribe(new Flow.Subscriber<>() {
            private long count;

            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscriber.onSubscribe(subscription);
            }

            @Override
            public void onNext(ByteBuffer bytes) {
                count += bytes.remaining();
                subscriber.onNext(bytes);
                taken.accept(count);
            }

            @Override
            public void onError(Throwable cause) {
                subscriber.onError(cause);
            }

            @Override
            public void onComplete() {
                subscriber.onComplete();
            }
        });
    }
}
