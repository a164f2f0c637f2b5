package dev.parley.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.ChatTransport.Lookup;
import dev.parley.delivery.ChatTransport.SendResult;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.testkit.chat.LocalApi.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of every platform's transport. The transport's test implements it with a scripted platform. */
public interface ChatTransportContract {
    /** Lookups that a transport may need before it reports a part as absent. */
    int MAX_LOOKUPS = 20;

    ChatTransport transport();

    /** A target that exists and has no messages yet. */
    ReplyTarget target();

    /** A target that the platform does not know. */
    ReplyTarget unknownTarget();

    /** True if the platform can change sent messages. */
    default boolean revises() {
        return true;
    }

    /** The messages of the target, in their order. */
    List<Shown> shown();

    /** Makes the next send fail. */
    void failNextSend(Fault fault);

    /** Makes the next send exceed the platform's rate limit, for this time. */
    void limitNextSend(Duration time);

    Instant now();

    /** Advances the clock. */
    void pass(Duration time);

    /** @param text the text as people read it */
    record Shown(String externalId, String text) {}

    default Parcel parcel(String marker, String text) {
        return new Parcel(marker, target(), text, now());
    }

    @Test
    default void sendReturnsThePlatformsId() throws InterruptedException {
        SendResult sent = transport().send(parcel("marker-000000000000001", "Hello."));

        assertThat(shown()).hasSize(1);
        assertThat(sent).isEqualTo(new SendResult.Delivered(shown().getFirst().externalId()));
        assertThat(shown().getFirst().text()).isEqualTo("Hello.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a < b && b > c, or \"so\"",
                "早上好，世界。我們走吧！",
                "مرحبا بالعالم",
                "👩‍👩‍👧‍👦 🇿🇦 👍🏽",
                "e\u0301a\u0308 Zalgo\u0336",
                "first\n\n  second\tline",
                "```java\nint x = 1 < 2 ? 3 : 4;\n```",
                "a literal &amp; and &lt;b&gt;",
                "100% \\n \\u0041 {\"json\": [1]}"
            })
    default void textArrivesAsItWasWritten(String text) throws InterruptedException {
        assertThat(transport().send(parcel("marker-000000000000001", text))).isInstanceOf(SendResult.Delivered.class);

        assertThat(shown()).extracting(Shown::text).containsExactly(text);
    }

    @Test
    default void partsKeepTheirOrder() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            transport().send(parcel("marker-00000000000000" + i, "part " + i));
        }

        assertThat(shown()).extracting(Shown::text).containsExactly("part 0", "part 1", "part 2");
    }

    @Test
    default void largestPartIsAccepted() throws InterruptedException {
        String large = "x".repeat(transport().largestPart());

        assertThat(transport().send(parcel("marker-000000000000001", large))).isInstanceOf(SendResult.Delivered.class);

        assertThat(shown()).extracting(Shown::text).containsExactly(large);
    }

    @Test
    default void sentMessageCanBeRevisedAndDeleted() throws InterruptedException {
        transport().send(parcel("marker-000000000000001", "first"));
        String id = shown().getFirst().externalId();
        SendResult changed = transport().revise(parcel("marker-000000000000002", "second < 2"), id);
        if (!revises()) {
            assertThat(changed).isInstanceOf(SendResult.Refused.class);
            assertThat(shown()).extracting(Shown::text).containsExactly("first");
            return;
        }

        assertThat(changed).isEqualTo(new SendResult.Delivered(id));
        assertThat(shown()).extracting(Shown::text).containsExactly("second < 2");
        for (int i = 0; i < 2; i++) {
            assertThat(transport().revise(parcel("marker-000000000000003", ""), id))
                    .isEqualTo(new SendResult.Delivered(id));
            assertThat(shown()).isEmpty();
        }
        assertThat(transport().revise(parcel("marker-000000000000004", "third"), id))
                .isInstanceOf(SendResult.Refused.class);
    }

    @Test
    default void aLostAnswerIsUnknownAndThePartIsFound() throws InterruptedException {
        Parcel parcel = parcel("marker-000000000000001", "Hello.");
        failNextSend(new Fault.LoseAnswer());

        assertThat(transport().send(parcel)).isInstanceOf(SendResult.Unknown.class);

        assertThat(shown()).hasSize(1);
        assertThat(lookUp(parcel)).isEqualTo(new Lookup.There(shown().getFirst().externalId()));
    }

    @Test
    default void aLostRequestIsUnknownAndThePartIsNotFound() throws InterruptedException {
        Parcel parcel = parcel("marker-000000000000001", "Hello.");
        failNextSend(new Fault.LoseRequest());

        assertThat(transport().send(parcel)).isInstanceOf(SendResult.Unknown.class);

        assertThat(shown()).isEmpty();
        assertThat(lookUp(parcel)).isInstanceOfAny(Lookup.Absent.class, Lookup.SendAgain.class);
        assertThat(transport().send(parcel)).isInstanceOf(SendResult.Delivered.class);
        assertThat(shown()).hasSize(1);
    }

    @Test
    default void markersTellEqualTextsApart() throws InterruptedException {
        Parcel first = parcel("marker-000000000000001", "Yes.");
        Parcel second = parcel("marker-000000000000002", "Yes.");
        transport().send(first);
        failNextSend(new Fault.LoseRequest());
        transport().send(second);

        assertThat(lookUp(first)).isEqualTo(new Lookup.There(shown().getFirst().externalId()));
        assertThat(lookUp(second)).isInstanceOfAny(Lookup.Absent.class, Lookup.SendAgain.class);
    }

    @Test
    default void unknownTargetIsRefused() throws InterruptedException {
        Parcel parcel = new Parcel("marker-000000000000001", unknownTarget(), "Hello.", now());

        assertThat(transport().send(parcel)).isInstanceOf(SendResult.Refused.class);
    }

    @Test
    default void rateLimitedPartIsSentLater() throws InterruptedException {
        limitNextSend(Duration.ofSeconds(3));
        Parcel parcel = parcel("marker-000000000000001", "Hello.");

        SendResult sent = transport().send(parcel);

        assertThat(sent)
                .isInstanceOfSatisfying(
                        SendResult.NotNow.class,
                        notNow -> assertThat(notNow.after()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4)));
        assertThat(shown()).isEmpty();
        pass(Duration.ofSeconds(4));
        assertThat(transport().send(parcel)).isInstanceOf(SendResult.Delivered.class);
    }

    /** Looks up until the outcome is final. */
    default Lookup lookUp(Parcel parcel) throws InterruptedException {
        Lookup found = transport().lookUp(parcel);
        for (int i = 0; i < MAX_LOOKUPS && found instanceof Lookup.NotYet; i++) {
            pass(Duration.ofSeconds(5));
            found = transport().lookUp(parcel);
        }
        return found;
    }
}
