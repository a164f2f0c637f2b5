package dev.parley.agents.demo;

import java.util.List;
import java.util.Random;

/** Plausible and implausible texts. Equal seeds give equal texts. */
final class RandomTexts {
    private static final List<String> BITS = List.of(
            " ",
            "  ",
            "\n",
            "\r\n",
            "\t",
            "\u00a0",
            "\u3000",
            "word",
            "天气",
            "こんにちは",
            "مرحبا",
            "नमस्ते",
            "สวัสดี",
            "e\u0301",
            "\u0301",
            "👨‍👩‍👧",
            "🇩🇪",
            "🇩",
            "👍🏽",
            "\u200d",
            "\u202e",
            "{\"a\":[1.50,{\"b\":null}]}",
            "{",
            "}",
            "\"",
            "\\",
            "\\u0041",
            "1e400",
            "-0",
            "12",
            "999999999999",
            "paint",
            "true",
            "?");

    private static final List<String> BEGINNINGS = List.of(
            "",
            "",
            "weather in ",
            "Weather  IN",
            "/tool ",
            "/tool paint ",
            "/tool paint {\"x\":",
            "/approve ",
            "/slow ",
            "/think ",
            "/state ",
            "/state {\"a\":1}",
            "/state {\"n\":",
            "/card ",
            "/team ",
            "/fail",
            "/help",
            "/unknown ",
            " /card ",
            "/",
            "/TEAM\n");

    private RandomTexts() {}

    static String of(Random random) {
        StringBuilder text = new StringBuilder();
        for (int bits = random.nextInt(30); bits > 0; bits--) {
            if (random.nextInt(4) > 0) {
                text.append(BITS.get(random.nextInt(BITS.size())));
            } else {
                text.appendCodePoint(character(random));
            }
        }
        return text.toString();
    }

    static String command(Random random) {
        return BEGINNINGS.get(random.nextInt(BEGINNINGS.size())) + of(random);
    }

    /** Any character except those that PostgreSQL cannot store: NUL and surrogates. */
    private static int character(Random random) {
        int range = random.nextBoolean() ? 0x3000 : Character.MAX_CODE_POINT;
        int character = 1 + random.nextInt(range);
        return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE ? '?' : character;
    }
}
