package dev.parley.app;

import dev.parley.history.Conversation;
import dev.parley.history.History;
import dev.parley.log.DayReader;
import dev.parley.threads.LatestThread;

/** The content of threads as frontends show it: by days, or as a whole conversation. */
record HistoryServices(History history, Conversation conversation) {
    static HistoryServices open(
            Foundation base, LogServices logs, ThreadServices threads, ObjectServices objects, RunServices runs) {
        History history = new History(
                threads.access(),
                new LatestThread(base.database()),
                threads.messages(),
                new DayReader(base.database()),
                runs.runs(),
                objects.attachments(),
                base.config().agents().locale(),
                base.limits().requests().pageBytes());
        // Half of the message limit, because a client adds messages to a conversation and sends all of them back.
        int maxMessages = base.limits().agui().messages() / 2;
        Conversation conversation = new Conversation(
                threads.messages(),
                logs.reader(),
                objects.attachments(),
                runs.runs().usages(),
                maxMessages);
        return new HistoryServices(history, conversation);
    }
}
