package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;

/** Whole HTTP requests as bytes, for generators that write to sockets themselves. */
public final class HttpBytes {
    private HttpBytes() {}

    /** The header of a user's or an agent's token. */
    public static String bearer(String token) {
        return "Authorization: Bearer " + token + "\r\n";
    }

    /** @param headers the headers, each with its end of line */
    public static byte[] get(String host, String path, String headers) {
        return (head("GET", host, path, headers) + "\r\n").getBytes(UTF_8);
    }

    public static byte[] get(URI server, String path, String token) {
        return get(server.getAuthority(), path, bearer(token));
    }

    /** A post of JSON. */
    public static byte[] post(String host, String path, String headers, String json) {
        return (head("POST", host, path, headers) + "Content-Type: application/json\r\nContent-Length: "
                        + json.getBytes(UTF_8).length + "\r\n\r\n" + json)
                .getBytes(UTF_8);
    }

    public static byte[] post(URI server, String path, String token, String json) {
        return post(server.getAuthority(), path, bearer(token), json);
    }

    /** A request's head without the empty line that ends it. */
    public static String head(String method, String host, String path, String headers) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers;
    }
}
