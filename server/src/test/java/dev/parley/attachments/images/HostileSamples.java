package dev.parley.attachments.images;

import static dev.parley.attachments.images.Pieces.ascii;
import static dev.parley.attachments.images.Pieces.box;
import static dev.parley.attachments.images.Pieces.bytes;
import static dev.parley.attachments.images.Pieces.inserted;
import static dev.parley.attachments.images.Pieces.join;
import static dev.parley.attachments.images.Pieces.jpegSegment;
import static dev.parley.attachments.images.Pieces.patched;
import static dev.parley.attachments.images.Pieces.pngChunk;
import static dev.parley.attachments.images.Pieces.u16;
import static dev.parley.attachments.images.Pieces.withoutLast;

import dev.parley.attachments.images.SampleImages.Hostile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Files that attackers send: other kinds under an image's name, and polyglots. */
final class HostileSamples {
    private static final int PNG_END = 12;
    private static final String SVG = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";

    private HostileSamples() {}

    static List<Hostile> all() {
        List<Hostile> all = new ArrayList<>();
        otherKinds().forEach((name, bytes) -> all.add(new Hostile(name, bytes, "image/png")));
        for (ImageType type : ImageType.values()) {
            byte[] good = good(type);
            otherKinds().forEach((name, bytes) -> {
                // Zeros after a JPEG are padding, and are no fault.
                if (bytes.length > 1) {
                    add(all, type, "with " + name + " behind it", join(good, bytes));
                    add(all, type, "with " + name + " before it", join(bytes, good));
                }
            });
            add(all, type, "without its last byte", withoutLast(1, good));
            add(all, type, "twice its first half", join(half(good), half(good)));
        }
        combined(all);
        return List.copyOf(all);
    }

    static byte[] good(ImageType type) {
        return switch (type) {
            case PNG -> SampleImages.png(16, 8);
            case JPEG -> SampleImages.jpeg(16, 8);
            case GIF -> SampleImages.gif(16, 8);
            case WEBP -> SampleImages.webp(16, 8);
            case AVIF -> SampleImages.avif(16, 8);
        };
    }

    static byte[] zip(String comment) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setComment(comment);
            zip.putNextEntry(new ZipEntry("Evil.class"));
            zip.write(bytes(0xca, 0xfe, 0xba, 0xbe));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Whole files of other kinds by their names. The probe must give these names, up to a comma. */
    static Map<String, byte[]> otherKinds() {
        Map<String, byte[]> otherKinds = new TreeMap<>();
        otherKinds.put("an SVG document", ascii(SVG));
        otherKinds.put("an SVG document, with a prologue", ascii("<?xml version=\"1.0\"?>\n" + SVG));
        otherKinds.put("an SVG document, with a mark of byte order", ascii("\u00ef\u00bb\u00bf\n" + SVG));
        otherKinds.put("an SVG document, in UTF-16", ("\ufeff" + SVG).getBytes(StandardCharsets.UTF_16LE));
        otherKinds.put("an SVG document, behind a comment", ascii("<!-- <html> --> <!-- --> " + SVG));
        otherKinds.put("an SVG document, with a prefix", ascii("<s:svg xmlns:s=\"http://www.w3.org/2000/svg\"/>"));
        otherKinds.put("an SVG document, with a type", ascii("<!DOCTYPE svg PUBLIC \"x\" \"y\">" + SVG));
        otherKinds.put("HTML", ascii("<!DOCTYPE html><html><script>alert(1)</script></html>"));
        otherKinds.put("HTML, without a type", ascii("\n <ScRiPt>alert(1)</ScRiPt>"));
        otherKinds.put("an XML document", ascii("<?xml version=\"1.0\"?><feed/>"));
        otherKinds.put("a PDF document", ascii("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"));
        otherKinds.put("a PHP script", ascii("<?php system($_GET['c']); ?>"));
        otherKinds.put("a ZIP archive", zip(""));
        otherKinds.put("a gzip archive", bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3));
        otherKinds.put("a program", ascii("\u007fELF\2\1\1\0\0\0\0\0\0\0\0\0"));
        otherKinds.put("a program, for Windows", ascii("MZ\u0090\0\3\0\0\0"));
        otherKinds.put("a script", ascii("#!/bin/sh\nid\n"));
        otherKinds.put("a TIFF image", ascii("II*\0\10\0\0\0\0\0"));
        otherKinds.put("a BMP image", ascii("BM\u001a\0\0\0\0\0\0\0\u001a\0\0\0"));
        otherKinds.put("an HEIF image", box("ftyp", ascii("heic\0\0\0\0mif1heic")));
        otherKinds.put("text", ascii("Just a letter.\r\n"));
        otherKinds.put("text, of one letter", ascii("x"));
        otherKinds.put("an unknown kind of file", bytes(1, 2, 3, 4, 5, 6, 7, 8, 9));
        otherKinds.put("an unknown kind of file, of one byte", bytes(0));
        otherKinds.put("an empty file", new byte[0]);
        return otherKinds;
    }

    private static void combined(List<Hostile> all) {
        byte[] png = good(ImageType.PNG);
        byte[] jpeg = good(ImageType.JPEG);
        byte[] gif = good(ImageType.GIF);
        int pngText = png.length - PNG_END;
        add(all, ImageType.PNG, "that is a ZIP archive from a comment on", inserted(png, pngText, note(zip(""))));
        // The archive's own comment takes the rest of the image, so that both end together.
        byte[] covering = patched(zip(""), zip("").length - 2, bytes(PNG_END + 4, 0));
        add(all, ImageType.PNG, "that an archive's comment covers", inserted(png, pngText, note(covering)));
        add(all, ImageType.JPEG, "that is a PDF document from a comment on", inserted(jpeg, 2, comment("%PDF-1.4")));
        add(all, ImageType.GIF, "that is a script", ascii("GIF89a/*\0\0\0\0\0*/=alert(1);"));
        add(all, ImageType.GIF, "with nothing but its first letters", ascii("GIF89a"));
        add(all, ImageType.JPEG, "that is HTML behind its start", join(bytes(0xff, 0xd8, 0xff), ascii("<html>")));
        add(all, ImageType.PNG, "that is PHP behind its signature", join(cut8(png), ascii("<?php id();")));
        add(all, ImageType.GIF, "whose trailer is followed by another", join(gif, gif));
        add(all, ImageType.PNG, "that is followed by another", join(png, png));
        byte[] film = join(box("ftyp", ascii("mp42\0\0\0\0isom")), box("moov"), box("mdat", new byte[9]));
        add(all, ImageType.JPEG, "whose film is followed by HTML", join(jpeg, film, ascii("<html><p>")));
        add(all, ImageType.JPEG, "whose film has no end", join(jpeg, withoutLast(1, film)));
        add(all, ImageType.JPEG, "whose padding hides HTML", join(jpeg, new byte[100], ascii("<html>")));
        add(all, ImageType.JPEG, "whose second picture is cut", join(jpeg, withoutLast(1, jpeg)));
        add(all, ImageType.JPEG, "with an archive in its film", join(jpeg, film, box("free", zip(""))));
        add(all, ImageType.AVIF, "whose last box is without end", endless(good(ImageType.AVIF)));
        byte[] tar = join(new byte[257 - 6], ascii("ustar"));
        add(all, ImageType.JPEG, "that is a tar archive", inserted(jpeg, 2, jpegSegment(0xfe, tar)));
    }

    private static byte[] endless(byte[] avif) {
        return join(patched(avif, Pieces.indexOf(avif, "mdat") - 4, new byte[4]), ascii("<html>"));
    }

    private static byte[] note(byte[] text) {
        return pngChunk("tEXt", join(ascii("Comment\0"), text));
    }

    private static byte[] comment(String text) {
        return join(bytes(0xff, 0xfe), u16(text.length() + 2), ascii(text));
    }

    private static byte[] cut8(byte[] bytes) {
        return Pieces.cut(bytes, 8);
    }

    private static byte[] half(byte[] bytes) {
        return Pieces.cut(bytes, bytes.length / 2);
    }

    private static void add(List<Hostile> all, ImageType type, String what, byte[] bytes) {
        all.add(new Hostile("a " + type + " " + what, bytes, type.mimeType()));
    }
}
