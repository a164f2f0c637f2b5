package dev.parley.bench.append;

import dev.parley.bench.rig.Tally;
import java.util.function.BooleanSupplier;

/** A load that writes messages as fast as it is answered, with its connections open since it was made. */
interface AppendLoad extends AutoCloseable {
    /** Writes until told to stop, and returns when every answer is there. */
    void run(Tally tally, BooleanSupplier goOn);

    @Override
    void close();
}
