package dev.parley.testkit;

/** Where a database is and who may enter. */
public record DatabaseAddress(String jdbcUrl, String user, String password) {
    @Override
    public String toString() {
        return jdbcUrl;
    }
}
