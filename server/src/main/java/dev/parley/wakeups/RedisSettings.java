package dev.parley.wakeups;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a Redis or Valkey is and what belongs to us there.
 *
 * @param url such as {@code rediss://user:password@host:6380}, so it must not be printed
 * @param prefix what the names of our channels begin with
 * @param authority a file of certificates that are trusted in place of the usual ones
 */
public record RedisSettings(
        String url, String prefix, @Nullable Path authority) {
    @Override
    public String toString() {
        return "RedisSettings[" + prefix + "]";
    }
}
