package dev.parley.bench.prove.hostile;

import dev.parley.bench.rig.ApiCaller;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * A user who posts and reads at a person's pace, repeats refused requests for a while, and notes acknowledged messages.
 *
 * @param acknowledged the contents that earlier rounds of this caller noted as acknowledged; this round adds to the
 *     list
 */
record HonestCaller(
        ApiCaller caller,
        String thread,
        SplittableRandom random,
        HonestFigures figures,
        List<String> acknowledged,
        BooleanSupplier goOn)
        implements Runnable {
    private static final int MAX_PAUSE_MILLIS = 800;
    private static final int MAX_TRIES = 10;

    /** A request that may be sent again. */
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

    /**
     * Sends a request, and repeats it while the server refuses it; true on success. The time counts from the first
     * attempt.
     */
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
                Thread.sleep(ApiCaller.retryAfterMillis(answer));
            } catch (IOException lost) {
                figures.failed(lost.toString());
                return false;
            }
        }
        figures.failed("refused " + MAX_TRIES + " times");
        return false;
    }

    /** Compares the acknowledged messages with those of the thread at the end. */
    static List<String> violations(ApiCaller caller, String thread, List<String> acknowledged) {
        List<String> held = new ArrayList<>();
        String after = "0";
        boolean more = true;
        while (more) {
            JsonNode page =
                    caller.readJson("/api/v1/chat/threads/" + thread + "/messages?limit=200&after_seq=" + after);
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
