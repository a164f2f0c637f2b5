package dev.parley.contexts;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** Names the tables with the contexts of a thread. Usage stays, because its deletion would refill budgets. */
public final class ContextPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("context_blocks", "run_contexts");
    }
}
