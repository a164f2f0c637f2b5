package dev.parley.face.objects;

import dev.parley.basics.Text;
import dev.parley.http.PercentEncoding;
import dev.parley.protocol.Alphabet;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Writes Content-Disposition (<a href="https://www.rfc-editor.org/rfc/rfc6266">RFC 6266</a>). Names are untrusted text,
 * so characters that could end or continue a header are replaced.
 */
final class Disposition {
    private static final Alphabet PLAIN = Alphabet.of("A-Za-z0-9._ -");

    private static final int MAX_NAME = 255;

    private Disposition() {}

    /**
     * Decodes a name from a signed URL once more, because clients encode it twice. A name that was encoded once stays
     * unchanged.
     */
    static String decodedTwice(String name) {
        try {
            String decoded = URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
            return decoded.indexOf('\uFFFD') < 0 ? decoded : name;
        } catch (IllegalArgumentException encodedOnce) {
            return name;
        }
    }

    /** The header's value for an object that a browser shows inline and saves under this name. */
    static String inline(String name) {
        return "inline" + filename(name);
    }

    /** The header's value for an object that a browser saves and never shows. */
    static String attachment(String name) {
        return "attachment" + filename(name);
    }

    private static String filename(String name) {
        String plain = Text.startWithin(safe(name), MAX_NAME);
        String file = plain.isBlank() ? "file" : plain;
        String ascii = PLAIN.replaceOthers(file, '_');
        return "; filename=\"" + ascii + "\"; filename*=UTF-8''" + PercentEncoding.encodeSegment(file);
    }

    /** Replaces characters that some system forbids in file names, and characters that reverse a name on a screen. */
    private static String safe(String name) {
        return name.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}/\\\\:]+", "_");
    }
}
