package dev.parley.bench.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** HTTP requests as bytes. */
final class Requests {
    private Requests() {}

    static byte[] get(String path, String headers) {
        return ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n").getBytes(US_ASCII);
    }

    static byte[] post(String path, String headers, String body) {
        return ("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers
                        + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(US_ASCII);
    }
}
