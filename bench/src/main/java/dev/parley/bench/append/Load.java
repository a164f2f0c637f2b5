package dev.parley.bench.append;

import java.util.function.BooleanSupplier;

/** Something that writes messages as fast as it is answered, with its connections open since it was made. */
interface Load extends AutoCloseable {
    /** Writes until told to stop, and returns when every answer is there. */
    void run(Progress progress, BooleanSupplier goOn);

    @Override
    void close();
}
