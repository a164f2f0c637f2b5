package dev.parley.bench.prove;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import dev.parley.testkit.history.LogEntry;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads whole threads over HTTP at the end of a proof. */
public final class FinalLogs {
    private static final int PAGE = 200;

    private FinalLogs() {}

    public static Map<ThreadId, List<LogEntry>> read(URI server, Token token, List<ThreadId> threads) {
        Map<ThreadId, List<LogEntry>> logs = new HashMap<>();
        try (Parley client = Parley.connect(server, token)) {
            for (ThreadId thread : threads) {
                logs.put(
                        thread,
                        messages(client, thread).stream().map(LogEntry::of).toList());
            }
        }
        return logs;
    }

    /** All messages of a thread. */
    static List<Message> messages(Parley client, ThreadId thread) {
        List<Message> messages = new ArrayList<>();
        MessagePage page;
        long after = 0;
        do {
            page = client.thread(thread).messagesAfter(after, PAGE);
            messages.addAll(page.messages());
            after = page.nextAfterSeq();
        } while (page.hasMore());
        return messages;
    }

    /** The seq of the last entry of each log. */
    public static Map<ThreadId, Long> ends(Map<ThreadId, List<LogEntry>> logs) {
        Map<ThreadId, Long> ends = new HashMap<>();
        logs.forEach((thread, log) ->
                ends.put(thread, log.isEmpty() ? 0 : log.getLast().seq()));
        return ends;
    }
}
