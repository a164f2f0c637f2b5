package dev.parley.bench.prove.hostile;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** A user who posts and reads at a person's pace, repeats what is refused for a while, and notes what was acknowledged. */
final class HonestCaller implements Runnable {
    private static final int MAX_PAUSE_MILLIS = 800;
    private static final int MAX_TRIES = 10;

    private final Caller caller;
    private final String thread;
    private final SplittableRandom random;
    private final HonestFigures figures;
    private final BooleanSupplier goOn;
    private final List<String> acknowledged;

    /** @param acknowledged the contents that earlier rounds of this caller were told of, to which this one adds */
    HonestCaller(
            Caller caller,
            String thread,
            SplittableRandom random,
            HonestFigures figures,
            List<String> acknowledged,
            BooleanSupplier goOn) {
        this.caller = caller;
        this.thread = thread;
        this.random = random;
        this.figures = figures;
        this.acknowledged = acknowledged;
        this.goOn = goOn;
    }

    /** The interface of a request that may be sent again. */
    private interface Request {
        HttpResponse<String> send() throws IOException, InterruptedException;
    }

    @Override
    public void run() {
        String messages = "/api/v1/chat/threads/" + thread + "/messages";
        try {
            while (goOn.getAsBoolean()) {
                String content = "message " + acknowledged.size() + " 你好 👋";
                byte[] body = Json.MAPPER.writeValueAsBytes(Map.of("content", content, "client_message_id", content));
                if (succeeds(() -> caller.post(messages, body))) {
                    acknowledged.add(content);
                }
                succeeds(() -> caller.get(messages + "?limit=20"));
                Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends until it is taken; the time counts from the first try. */
    private boolean succeeds(Request request) throws InterruptedException {
        long began = System.nanoTime();
        for (int attempt = 1; attempt <= MAX_TRIES; attempt++) {
            try {
                HttpResponse<String> answer = request.send();
                int status = answer.statusCode();
                if (status / 100 == 2) {
                    figures.succeeded(System.nanoTime() - began);
                    return true;
                }
                if (status != 503 && status != 429) {
                    figures.failed(status + " " + answer.body());
                    return false;
                }
                figures.retried();
                Thread.sleep(1_000L
                        * answer.headers().firstValueAsLong("Retry-After").orElse(1));
            } catch (IOException lost) {
                figures.failed(lost.toString());
                return false;
            }
        }
        figures.failed("refused " + MAX_TRIES + " times");
        return false;
    }

    /** Compares what was acknowledged with what the thread holds in the end. */
    static List<String> violations(Caller caller, String thread, List<String> acknowledged)
            throws IOException, InterruptedException {
        List<String> held = new ArrayList<>();
        String after = "0";
        boolean more = true;
        while (more) {
            var page = Json.MAPPER.readTree(
                    caller.get("/api/v1/chat/threads/" + thread + "/messages?limit=200&after_seq=" + after)
                            .body());
            page.path("messages")
                    .forEach(message -> held.add(message.path("content").asString()));
            after = page.path("next_after_seq").asString();
            more = page.path("has_more").asBoolean();
        }
        return held.equals(acknowledged)
                ? List.of()
                : List.of("thread " + thread + " holds " + held.size() + " messages, and " + acknowledged.size()
                        + " were acknowledged, or in another order");
    }
}
