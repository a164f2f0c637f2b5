package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The two halves of a request's address, still encoded. The query may hold secrets and is never logged. */
record RequestTarget(String path, String query) {
    static RequestTarget of(String uri) {
        int start = uri.startsWith("/") ? 0 : authorityEnd(uri);
        int mark = uri.indexOf('?', start);
        int end = mark < 0 ? uri.length() : mark;
        String path = start == end ? "/" : uri.substring(start, end);
        return new RequestTarget(path, mark < 0 ? "" : uri.substring(mark + 1));
    }

    Optional<String> query(String name) {
        return queries(name).stream().findFirst();
    }

    /** All values of a parameter, in the order in which they were sent. */
    List<String> queries(String name) {
        List<String> values = new ArrayList<>();
        int from = 0;
        while (from < query.length()) {
            int and = query.indexOf('&', from);
            int to = and < 0 ? query.length() : and;
            int equals = query.indexOf('=', from);
            int nameEnd = equals < 0 || equals > to ? to : equals;
            if (PercentEncoding.decodeQuery(query.substring(from, nameEnd)).equals(name)) {
                values.add(PercentEncoding.decodeQuery(query.substring(Math.min(nameEnd + 1, to), to)));
            }
            from = to + 1;
        }
        return values;
    }

    /** The start of the path in {@code http://host/path}, the form that proxies use (RFC 9112, 3.2.2). */
    private static int authorityEnd(String uri) {
        String lower = uri.toLowerCase(Locale.ROOT);
        int authority = lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : -1;
        if (authority < 0) {
            throw new ProblemException(Problem.MALFORMED_REQUEST, "The address is neither a path nor an http URL.");
        }
        for (int i = authority; i < uri.length(); i++) {
            if (uri.charAt(i) == '/' || uri.charAt(i) == '?') {
                return i;
            }
        }
        return uri.length();
    }
}
