package dev.parley.runs;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** The runs of a thread, their shared state, and what they left open. */
public final class RunPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("runs", "thread_states", "interrupts", "open_calls");
    }
}
