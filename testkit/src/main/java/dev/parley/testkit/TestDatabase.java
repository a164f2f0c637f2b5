package dev.parley.testkit;

/** A database for one test. {@link #close} drops the database. */
public final class TestDatabase implements AutoCloseable {
    private final TestPostgres postgres;
    private final String name;

    TestDatabase(TestPostgres postgres, String name) {
        this.postgres = postgres;
        this.name = name;
    }

    public String name() {
        return name;
    }

    public DatabaseAddress address() {
        return postgres.address(name);
    }

    @Override
    public void close() {
        postgres.drop(name);
    }
}
