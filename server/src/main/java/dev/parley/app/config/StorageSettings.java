package dev.parley.app.config;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that the settings of the object store fit together. */
final class StorageSettings {
    /**
     * The settings that only buckets use. They are refused for a folder, because such a setting would suggest that a
     * bucket is in use.
     */
    private static final List<Setting<?>> OF_BUCKETS = List.of(
            Settings.STORAGE_BUCKET,
            Settings.STORAGE_ENDPOINT,
            Settings.STORAGE_ACCESS_KEY,
            Settings.STORAGE_SECRET_KEY,
            Settings.STORAGE_PREFIX);

    /** The values of the setting {@code storage}. */
    enum Kind {
        FOLDER,
        S3;

        static Optional<Kind> parse(String text) {
            return switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "folder" -> Optional.of(FOLDER);
                case "s3" -> Optional.of(S3);
                default -> Optional.empty();
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private StorageSettings() {}

    static Config.Storage read(GivenSettings given) {
        return switch (given.require(Settings.STORAGE)) {
            case FOLDER -> folder(given);
            case S3 -> s3(given);
        };
    }

    private static Config.Storage s3(GivenSettings given) {
        if (given.find(Settings.STORAGE_FOLDER) != null) {
            throw new ConfigException("storage-folder is set, but storage is s3: leave one of them out.");
        }
        return new Config.Storage.S3(
                require(given, Settings.STORAGE_BUCKET),
                given.find(Settings.STORAGE_ENDPOINT),
                given.require(Settings.STORAGE_REGION),
                require(given, Settings.STORAGE_ACCESS_KEY),
                require(given, Settings.STORAGE_SECRET_KEY),
                Objects.requireNonNullElse(given.find(Settings.STORAGE_PREFIX), ""),
                given.require(Settings.STORAGE_PATH_STYLE));
    }

    private static Config.Storage folder(GivenSettings given) {
        for (Setting<?> setting : OF_BUCKETS) {
            if (given.find(setting) != null) {
                throw new ConfigException(setting.name() + " is set, but storage is folder: set storage to s3 to keep"
                        + " objects in a bucket, or leave " + setting.name() + " out.");
            }
        }
        return new Config.Storage.Folder(given.find(Settings.STORAGE_FOLDER));
    }

    private static <T> T require(GivenSettings given, Setting<T> setting) {
        @Nullable T value = given.find(setting);
        if (value == null) {
            throw new ConfigException("storage is s3, but " + setting.name() + " is not set: set it ("
                    + setting.environmentName() + "), or leave storage out to keep objects in the data folder.");
        }
        return value;
    }
}
