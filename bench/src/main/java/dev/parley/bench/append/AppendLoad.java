package dev.parley.bench.append;

import dev.parley.bench.rig.Tally;
import java.util.function.BooleanSupplier;

/**
 * A load that writes messages as fast as they are answered. The connections of a load are open from its construction
 * until it is closed.
 */
interface AppendLoad extends AutoCloseable {
    /** Writes while {@code goOn} is true, and returns when every answer has arrived. */
    void run(Tally tally, BooleanSupplier goOn);

    @Override
    void close();
}
