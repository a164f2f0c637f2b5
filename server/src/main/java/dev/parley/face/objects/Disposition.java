package dev.parley.face.objects;

import dev.parley.basics.Text;
import dev.parley.http.PercentEncoding;
import dev.parley.protocol.Alphabet;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Writes Content-Disposition. Names are anybody's text, so only what cannot end or continue a header is left of them. */
final class Disposition {
    private static final Alphabet PLAIN = Alphabet.of("A-Za-z0-9._ -");

    private static final int MAX_NAME = 255;

    private Disposition() {}

    /** A name out of the client's signed URLs, in which it stands encoded twice; one that does not is left as it is. */
    static String encodedTwice(String name) {
        try {
            String decoded = URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
            return decoded.indexOf('\uFFFD') < 0 ? decoded : name;
        } catch (IllegalArgumentException encodedOnce) {
            return name;
        }
    }

    /** To be shown in place, under this name if it is kept. */
    static String inline(String name) {
        return "inline" + named(name);
    }

    /** To be kept, never shown. */
    static String attachment(String name) {
        return "attachment" + named(name);
    }

    private static String named(String name) {
        String plain = Text.startWithin(safe(name), MAX_NAME);
        String file = plain.isBlank() ? "file" : plain;
        String ascii = PLAIN.replaceOthers(file, '_');
        return "; filename=\"" + ascii + "\"; filename*=UTF-8''" + PercentEncoding.encodeSegment(file);
    }

    /** Without what is no part of a name on some system, or turns it around on a screen. */
    private static String safe(String name) {
        return name.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}/\\\\:]+", "_");
    }
}
