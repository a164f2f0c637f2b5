package dev.parley.erasure;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** Names the tables with the progress of erasures in a thread. */
public final class ErasurePurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("erasure_threads", "erasure_objects");
    }
}
