package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.data.OwnPostgres;
import dev.parley.postgres.RunningPostgres;
import dev.parley.storage.DatabaseAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The database of a command other than {@code serve}. It is the external database, or the embedded one in the data
 * folder. If no server runs the embedded database, the command starts PostgreSQL and stops it at the end.
 */
final class CommandDatabase implements AutoCloseable {
    private static final int CONNECTIONS = 10;

    private final DatabaseAddress address;
    private final Optional<OwnPostgres> started;

    private CommandDatabase(DatabaseAddress address, Optional<OwnPostgres> started) {
        this.address = address;
        this.started = started;
    }

    /** Opens an existing database for reading, even while servers use it. */
    static CommandDatabase toRead(Config config) {
        return switch (config.stores().database()) {
            case Config.Database.External external -> new CommandDatabase(external.address(), Optional.empty());
            case Config.Database.Embedded() -> {
                Path folder = OwnPostgres.folder(config.data());
                if (!RunningPostgres.isIn(folder)) {
                    throw new ConfigException("No server was ever started on the data folder "
                            + config.data().toAbsolutePath().normalize() + "; name its folder with --data.");
                }
                yield RunningPostgres.find(folder)
                        .map(running -> new CommandDatabase(OwnPostgres.address(running), Optional.empty()))
                        .orElseGet(() -> start(config));
            }
        };
    }

    /** Opens a database that belongs to the command alone: no server may run in the data folder. */
    static CommandDatabase toFill(Config config) {
        return switch (config.stores().database()) {
            case Config.Database.External external -> new CommandDatabase(external.address(), Optional.empty());
            case Config.Database.Embedded() -> start(config);
        };
    }

    private static CommandDatabase start(Config config) {
        OwnPostgres postgres = OwnPostgres.start(config.data(), CONNECTIONS);
        // Covers a command that is stopped halfway, because PostgreSQL must not keep running.
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(postgres::close));
        return new CommandDatabase(postgres.address(), Optional.of(postgres));
    }

    DatabaseAddress address() {
        return address;
    }

    @Override
    public void close() {
        started.ifPresent(OwnPostgres::close);
    }
}
