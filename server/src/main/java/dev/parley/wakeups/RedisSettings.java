package dev.parley.wakeups;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis or Valkey, and the names that belong to this server there.
 *
 * @param url the address, such as {@code rediss://user:password@host:6380}; it must not be printed
 * @param prefix the beginning of the names of the server's channels
 * @param authority a file of certificates that are trusted instead of the usual ones
 */
public record RedisSettings(
        String url, String prefix, @Nullable Path authority) {
    @Override
    public String toString() {
        return "RedisSettings[" + prefix + "]";
    }
}
