package dev.parley.threads;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** Purges the word index of a deleted thread. Members, marks and listings are deleted with the thread itself. */
public final class RecallPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("recall_words", "recall_progress");
    }
}
