package dev.parley.runs;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** Purges the runs of a thread, their shared state, their questions and their calls. */
public final class RunPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("runs", "thread_states", "interrupts", "open_calls");
    }
}
