package dev.parley.sessions;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Messages of Agno in every shape that JSON allows; the same seed gives the same messages. */
final class SampleMessages {
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "0.0",
            "-0",
            "1e30",
            "1000000000000000000000000000000",
            "1.50",
            "\"\"",
            "\"中文 العربية e\u0301 👩‍👩‍👧\"",
            "\"\\u0000\"",
            "\"\\ud800 alone\"",
            "\"\\u4e2d\\/\\\"\\n\"",
            "[]",
            "{}",
            "[null, {\"content\": \"QUJD\"}]",
            "{\"images\": [{\"content\": \"QUJD\"}]}");
    private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t ", "\r\n    ");
    private static final List<String> LISTS = List.of("images", "audio", "videos", "files");
    private static final List<String> SINGLES = List.of("audio_output", "image_output", "video_output", "file_output");

    private final Random random;
    private final List<byte[]> cuttable = new ArrayList<>();

    SampleMessages(long seed) {
        this.random = new Random(seed);
    }

    /** The media of the last message that must be cut out, in no particular order. */
    List<byte[]> cuttable() {
        return cuttable;
    }

    String next() {
        cuttable.clear();
        Map<String, String> members = new LinkedHashMap<>();
        members.put("id", "\"m-" + random.nextInt() + "\"");
        members.put("role", "\"user\"");
        members.put("content", value());
        members.put("metrics", "{\"cost\": 0.0, \"input_tokens\":" + random.nextInt(1000) + "}");
        members.put("ÿ 中文 extra", value());
        for (String list : LISTS) {
            if (random.nextBoolean()) {
                members.put(list, list(list.equals("files")));
            }
        }
        for (String single : SINGLES) {
            if (random.nextInt(3) == 0) {
                members.put(single, item(single.equals("file_output")));
            }
        }
        return object(members);
    }

    private String list(boolean files) {
        List<String> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(random.nextInt(8) == 0 ? value() : item(files));
        }
        return "[" + items.stream().map(item -> space() + item + space()).collect(Collectors.joining(",")) + "]";
    }

    private String item(boolean file) {
        Map<String, String> members = new LinkedHashMap<>();
        boolean text = file && random.nextInt(3) == 0;
        switch (random.nextInt(6)) {
            case 0 -> members.put("content", value());
            case 1 -> members.put("content", "\"" + base64(random.nextInt(200)) + "\"");
            case 2 -> members.put("url", "\"https://example.org/a.png\"");
            default -> {
                byte[] bytes = bytes(800 + random.nextInt(2000));
                String encoded = Base64.getEncoder().encodeToString(bytes);
                members.put(random.nextInt(5) == 0 ? "\\u0063ontent" : "content", "\"" + encoded + "\"");
                if (encoded.length() >= MediaCutter.MIN_BYTES && !text) {
                    cuttable.add(bytes);
                }
            }
        }
        members.put("id", random.nextInt(4) == 0 ? value() : "\"i-" + random.nextInt() + "\"");
        members.put("detail", value());
        if (text) {
            members.put("mime_type", "\"text/csv\"");
        } else if (random.nextBoolean()) {
            members.put("mime_type", "\"image/png\"");
        }
        members.put("filename", random.nextInt(4) == 0 ? value() : "\"ä 图.png\"");
        return object(members);
    }

    private String object(Map<String, String> members) {
        List<Map.Entry<String, String>> shuffled = new ArrayList<>(members.entrySet());
        Collections.shuffle(shuffled, random);
        return "{"
                + shuffled.stream()
                        .map(each -> space() + "\"" + each.getKey() + "\"" + space() + ":" + space() + each.getValue()
                                + space())
                        .collect(Collectors.joining(","))
                + "}";
    }

    private String base64(int bytes) {
        return Base64.getEncoder().encodeToString(bytes(bytes));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private String value() {
        return VALUES.get(random.nextInt(VALUES.size()));
    }

    private String space() {
        return SPACES.get(random.nextInt(SPACES.size()));
    }
}
