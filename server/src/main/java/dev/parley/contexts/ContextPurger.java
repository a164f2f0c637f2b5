package dev.parley.contexts;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** What agents were shown of a thread. What was spent stays spent, or budgets could be emptied by deleting. */
public final class ContextPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("context_blocks", "run_contexts");
    }
}
