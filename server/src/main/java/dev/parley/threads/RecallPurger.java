package dev.parley.threads;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** The words by which a thread is recalled. Members, marks and listings go with the deletion itself. */
public final class RecallPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("recall_words", "recall_progress");
    }
}
