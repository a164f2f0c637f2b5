package dev.parley.history;

import org.jspecify.annotations.Nullable;

/** Makes addresses under which stored files can be fetched for a while. */
@FunctionalInterface
public interface Links {
    /** A fresh address; null if there is no such file. The reader's right to the message is settled by then. */
    @Nullable
    String fresh(String bucket, String path);
}
