package dev.parley.http;

/** The identity of a route: its method and its path template, such as {@code GET /threads/{id}}. */
public record RouteKey(String method, String path) {
    @Override
    public String toString() {
        return method + " " + path;
    }
}
