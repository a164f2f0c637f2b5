package dev.parley.bench.prove;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.chat.Message;
import dev.parley.sdk.Parley;
import dev.parley.sdk.PlacedEvent;
import dev.parley.sdk.RunStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A thread read from its beginning to its end: all events of its runs, and its messages. */
record RunReplay(List<PlacedEvent> events, List<Message> messages) {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** The names of events that belong to no run, even if they name a run. */
    private static final Set<String> ENTRIES = Set.of("message_committed", "message_revised");

    /** Renames the thread to a mark and reads up to the mark. Therefore every commit before the renaming is read. */
    static RunReplay of(Parley client, ThreadId thread) {
        String mark = "Read up to here: " + UUID.randomUUID();
        client.thread(thread).rename(mark);
        List<PlacedEvent> events = new ArrayList<>();
        try (RunStream stream = client.runs().openThread(thread, 0)) {
            PlacedEvent next = next(stream, thread);
            while (!isMark(next, mark)) {
                events.add(next);
                next = next(stream, thread);
            }
            if (stream.violations() > 0) {
                throw new IllegalStateException("The replay of thread " + thread + " has repeats");
            }
        }
        return new RunReplay(events, FinalLogs.messages(client, thread));
    }

    private static PlacedEvent next(RunStream stream, ThreadId thread) {
        return stream.next(LIMIT)
                .orElseThrow(() -> new IllegalStateException(
                        "The replay of thread " + thread + " stands still after " + stream.position()));
    }

    private static boolean isMark(PlacedEvent event, String mark) {
        return event.event() instanceof PassedEvent.Custom custom
                && custom.value().path("title").asString("").equals(mark);
    }

    /** The events of one run. */
    RunTrace run(String runId) {
        return RunTrace.of(events.stream()
                .filter(event -> event.runId().filter(runId::equals).isPresent())
                .filter(event ->
                        !(event.event() instanceof PassedEvent.Custom custom && ENTRIES.contains(custom.name())))
                .toList());
    }

    /** The messages of one run. */
    List<Message> messagesOf(String runId) {
        return messages.stream()
                .filter(message -> !message.role().equals("user"))
                .filter(message -> message.metadata() != null
                        && message.metadata().path("run_id").asString("").equals(runId))
                .toList();
    }
}
