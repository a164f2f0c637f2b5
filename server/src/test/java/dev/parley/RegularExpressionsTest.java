package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A regular expression may take quadratic, cubic or exponential time in a text that a caller chose, and may overflow
 * the stack. So the classes that use one are listed, each with the reason why it is safe. All other classes use
 * {@link dev.parley.protocol.Alphabet}, {@link dev.parley.protocol.Split} and small parsers.
 */
class RegularExpressionsTest {
    /** The classes that may use an expression, by the reason. */
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "no caller's text: configuration of the operator, files of this build or this machine",
            Set.of(
                    "face.console.ConsoleFile",
                    "face.docs.Markup",
                    "limits.Durations",
                    "limits.Sizes",
                    "outbound.SecretText",
                    "postgres.Binaries",
                    "postgres.EmbeddedPostgres",
                    "postgres.Orphans",
                    "postgres.Reasons",
                    "postgres.ShortCommand",
                    "sessions.SessionSpending"),
            "every part has a length of its own, at most a few hundred characters",
            Set.of(
                    "agents.model.Refusals",
                    "archive.ArchiveFolder",
                    "assembly.MentionTokens",
                    "assembly.Quoted",
                    "auth.LinkCode",
                    "delivery.RetryAfter",
                    "face.agent.HistoryFace",
                    "face.agent.RunCursor",
                    "face.chat.Cursors",
                    "platforms.slack.SlackMessages",
                    "platforms.slack.SlackTime",
                    "protocol.UuidV7"),
            "runs of one set each, between which there is no choice: no character is read more than a few times",
            Set.of(
                    "agents.RunName",
                    "agents.demo.FrontendTools",
                    "agents.demo.Slow",
                    "agents.demo.Weather",
                    "agents.demo.WordPieces",
                    "agents.model.ProviderError",
                    "assembly.ToolsPrompt",
                    "attachments.CallersFolder",
                    "attachments.images.OtherKinds",
                    "delivery.Splitting",
                    "face.objects.Disposition",
                    "outbound.OutboundUrl",
                    "platforms.bluebubbles.BlueBubblesEvents",
                    "platforms.bluebubbles.Tapback",
                    "platforms.slack.SlackText",
                    "protocol.chat.LegacyPrefix",
                    "sessions.AgnoCall"));

    private static final Set<String> OF_STRING =
            Set.of("split", "splitWithDelimiters", "replaceAll", "replaceFirst", "matches");

    @Test
    void onlyListedClassesUseRegularExpressions() {
        Set<String> using = ArchitectureTest.SERVER.stream()
                .filter(type -> !type.getPackageName().startsWith("dev.parley.app"))
                .filter(RegularExpressionsTest::usesExpressions)
                .map(RegularExpressionsTest::outerName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(using)
                .containsExactlyInAnyOrderElementsOf(
                        ALLOWED.values().stream().flatMap(Set::stream).toList());
    }

    private static boolean usesExpressions(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                        .anyMatch(on -> on.getTargetClass().getPackageName().equals("java.util.regex"))
                || Stream.<JavaAccess<?>>concat(
                                type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream())
                        .anyMatch(access -> access.getTargetOwner().isEquivalentTo(String.class)
                                && OF_STRING.contains(access.getName()));
    }

    private static String outerName(JavaClass type) {
        String name = type.getName().substring("dev.parley.".length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
