package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Something to say to the demo agent, and what it answers.
 *
 * @param answers the texts of its messages, in order, when it gets to its end
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

    /** Any of the kinds, the long ones more often: there is more to be cut off. */
    static Prompt any(SplittableRandom random) {
        String said = words(random);
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> slow(5 + random.nextInt(76));
            case 3 -> new Prompt("weather in Paris", List.of(Pattern.compile("The weather in Paris: .*\\.")));
            case 4 ->
                saying(
                        "/team " + said,
                        "I found out all about this: " + said,
                        "I wrote this down: " + said,
                        "Researcher and Writer are done with: " + said);
            case 5 -> saying("/think " + said, "You said: " + said);
            default -> saying(said, "You said: " + said);
        };
    }

    /** A word every 50 ms. */
    static Prompt slow(int count) {
        return saying(
                "/slow " + count,
                IntStream.rangeClosed(1, count).mapToObj(Integer::toString).collect(Collectors.joining(" ", "", ".")));
    }

    private static Prompt saying(String text, String... answers) {
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

    /** Whether a message is one of the answers, and whole. */
    boolean isWhole(String content) {
        return answers.stream().anyMatch(answer -> answer.matcher(content).matches());
    }

    /** Whether these are all the answers. */
    boolean isAnsweredBy(List<String> contents) {
        return contents.size() == answers.size()
                && IntStream.range(0, answers.size())
                        .allMatch(i -> answers.get(i).matcher(contents.get(i)).matches());
    }
}
