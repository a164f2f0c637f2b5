package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A prompt for the demo agent, and its answers.
 *
 * @param answers patterns for the texts of the messages in a completed run, in order
 */
record Prompt(String text, List<Pattern> answers) {
    private static final List<String> WORDS = List.of(
            "tea",
            "帮我查一下",
            "👩‍👩‍👧",
            "e\u0301",
            "天气很好",
            "🇫🇷🇯🇵",
            "Grüße",
            "نص",
            "a\tb",
            "\"quoted\"",
            "<b>",
            "\\u0000");

    /** A prompt of any kind. Long answers are more frequent, because a fault can cut off more of a long answer. */
    static Prompt any(SplittableRandom random) {
        String words = words(random);
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> slow(5 + random.nextInt(76));
            case 3 -> new Prompt("weather in Paris", List.of(Pattern.compile("The weather in Paris: .*\\.")));
            case 4 ->
                literal(
                        "/team " + words,
                        "I found out all about this: " + words,
                        "I wrote this down: " + words,
                        "Researcher and Writer are done with: " + words);
            case 5 -> literal("/think " + words, "You said: " + words);
            default -> literal(words, "You said: " + words);
        };
    }

    /** A prompt with an answer of this many words, one every 50 ms. */
    static Prompt slow(int count) {
        return literal(
                "/slow " + count,
                IntStream.rangeClosed(1, count).mapToObj(Integer::toString).collect(Collectors.joining(" ", "", ".")));
    }

    private static Prompt literal(String text, String... answers) {
        return new Prompt(
                text,
                List.of(answers).stream()
                        .map(answer -> Pattern.compile(Pattern.quote(answer)))
                        .toList());
    }

    private static String words(SplittableRandom random) {
        List<String> words = new ArrayList<>();
        int count = 1 + random.nextInt(40);
        for (int i = 0; i < count; i++) {
            words.add(WORDS.get(random.nextInt(WORDS.size())));
        }
        return String.join(" ", words);
    }

    /** True if a message is one of the answers and is complete. */
    boolean isWhole(String content) {
        return answers.stream().anyMatch(answer -> answer.matcher(content).matches());
    }

    /** True if the messages are all the answers, in order. */
    boolean isAnsweredBy(List<String> contents) {
        return contents.size() == answers.size()
                && IntStream.range(0, answers.size())
                        .allMatch(i -> answers.get(i).matcher(contents.get(i)).matches());
    }
}
