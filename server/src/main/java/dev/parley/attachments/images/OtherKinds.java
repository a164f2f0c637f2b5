package dev.parley.attachments.images;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names the kind of a file that is no accepted image, for the sentence that refuses the file. This class decides
 * nothing.
 */
final class OtherKinds {
    private static final List<Magic> MAGIC = List.of(
            new Magic("PK\u0003\u0004", "a ZIP archive"),
            new Magic("PK\u0005\u0006", "a ZIP archive"),
            new Magic("\u001f\u008b", "a gzip archive"),
            new Magic("7z\u00bc\u00af", "a 7z archive"),
            new Magic("Rar!", "a RAR archive"),
            new Magic("\u007fELF", "a program"),
            new Magic("MZ", "a program"),
            new Magic("#!", "a script"),
            new Magic("II*\0", "a TIFF image"),
            new Magic("MM\0*", "a TIFF image"),
            new Magic("\0\0\1\0", "an icon"),
            new Magic("\u00ff\n", "a JPEG XL image"),
            new Magic("\0\0\0\fJXL ", "a JPEG XL image"));

    private static final Pattern SVG = Pattern.compile("<([a-z0-9_]+:)?svg[\\s>/]|<!doctype svg");
    private static final Pattern HTML =
            Pattern.compile("<!doctype html|<(html|head|body|script|iframe|title|div|a|p|h1|img|table|style)[\\s>/]");
    private static final Pattern PROLOGUE = Pattern.compile("\\s*(<\\?xml.*?\\?>|<!--.*?-->)", Pattern.DOTALL);

    private OtherKinds() {}

    static String name(byte[] head) {
        if (head.length == 0) {
            return "an empty file";
        }
        String start = new String(head, StandardCharsets.ISO_8859_1);
        if (start.lastIndexOf("%PDF-", 1024) >= 0) {
            return "a PDF document";
        }
        List<String> brands = Brands.in(start);
        if (!brands.isEmpty()) {
            return brands.contains("heic") || brands.contains("mif1") ? "an HEIF image" : "a video";
        }
        // Two letters prove little, so the reserved zeros distinguish a bitmap from text that begins with "BM".
        if (start.startsWith("BM") && start.startsWith("\0\0\0\0", 6)) {
            return "a BMP image";
        }
        return MAGIC.stream()
                .filter(magic -> start.startsWith(magic.start))
                .findFirst()
                .map(Magic::kind)
                .or(() -> text(head).map(OtherKinds::document))
                .orElse("an unknown kind of file");
    }

    private static String document(String text) {
        String rest = text.strip().toLowerCase(Locale.ROOT);
        boolean xml = rest.startsWith("<?xml");
        if (!rest.startsWith("<")) {
            return rest.contains("<?php") ? "a PHP script" : "text";
        }
        var prologue = PROLOGUE.matcher(rest);
        int end = 0;
        while (prologue.region(end, rest.length()).lookingAt()) {
            end = prologue.end();
        }
        rest = rest.substring(end).strip();
        if (SVG.matcher(rest).lookingAt()) {
            return "an SVG document";
        }
        if (HTML.matcher(rest).lookingAt()) {
            return "HTML";
        }
        if (rest.startsWith("<?php") || rest.startsWith("<?=")) {
            return "a PHP script";
        }
        if (SVG.matcher(rest).find()) {
            return "an SVG document";
        }
        return xml ? "an XML document" : HTML.matcher(rest).find() ? "HTML" : "text";
    }

    /** The text in the head; empty if the file is no text. The head may end in the middle of a character. */
    private static Optional<String> text(byte[] head) {
        boolean big = head.length > 1 && head[0] == (byte) 0xfe && head[1] == (byte) 0xff;
        boolean little = head.length > 1 && head[0] == (byte) 0xff && head[1] == (byte) 0xfe;
        Charset charset = big || little ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
        CharBuffer characters = CharBuffer.allocate(head.length);
        boolean wrong = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(head), characters, false)
                .isError();
        String text = characters.flip().toString();
        boolean control = text.chars().anyMatch(c -> c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f');
        // A byte order mark at the start is no part of the text.
        return wrong || control ? Optional.empty() : Optional.of(text.startsWith("\ufeff") ? text.substring(1) : text);
    }

    private record Magic(String start, String kind) {}
}
