package dev.parley.delivery;

import dev.parley.outbound.Calls;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to one platform, once for each call. A transport never retries by itself, because only its caller
 * knows the promised guarantees. Safe for use by several threads.
 */
public interface ChatTransport {
    /** The source whose targets this transport serves. */
    String source();

    /** The limit of one part, by {@link #size}. */
    int largestPart();

    /** The size of a text, in the unit of the limit. */
    default ToIntFunction<String> size() {
        return text -> text.codePointCount(0, text.length());
    }

    /** Hands one part over and returns its outcome. Failures are outcomes, not exceptions. */
    SendResult send(Parcel parcel) throws InterruptedException;

    /** Looks for a part whose send had no answer. */
    Lookup lookUp(Parcel parcel) throws InterruptedException;

    /**
     * Changes a part on the platform, or deletes it if the text is empty. A repetition changes nothing, so an unknown
     * outcome is simply retried.
     *
     * @param externalId the platform's id of the part
     */
    default SendResult revise(Parcel parcel, String externalId) throws InterruptedException {
        return new SendResult.Refused("The platform cannot change a sent message.");
    }

    /** Shows on the platform that an agent is about to answer, if the platform supports that; best effort. */
    default void showTyping(ReplyTarget target) throws InterruptedException {}

    /** The outcome of sending a part. */
    sealed interface SendResult {
        /** The outcome of a call without an answer. */
        static SendResult unanswered(Calls.NoAnswer none) {
            String reason = String.valueOf(none.getMessage());
            return none.maybeSent() ? new Unknown(reason) : new NotNow(reason, null);
        }

        /** The platform has the part, under this id. */
        record Delivered(String externalId) implements SendResult {}

        /**
         * The platform surely does not have the part, and may accept it later.
         *
         * @param after the wait that the platform asks for; null if it names none
         */
        record NotNow(String reason, @Nullable Duration after) implements SendResult {}

        /**
         * The platform surely does not have the part and never accepts it, for example because the channel is unknown.
         */
        record Refused(String reason) implements SendResult {}

        /** The platform may have the part: the answer was lost, or does not tell the outcome. */
        record Unknown(String reason) implements SendResult {}
    }

    /** The result of looking for a part that the platform may have. */
    sealed interface Lookup {
        /** The platform has the part, under this id. */
        record There(String externalId) implements Lookup {}

        /** The platform surely does not have the part and will not get it later; it may be sent again. */
        record Absent() implements Lookup {}

        /**
         * The outcome is unknown, but the platform accepts a marker only once. Therefore the part is sent again. If the
         * platform does not accept it then, the outcome stays unknown.
         */
        record SendAgain() implements Lookup {}

        /** The outcome is not known yet; the lookup is repeated. */
        record NotYet(String reason) implements Lookup {}

        /** The outcome will never be known. */
        record Unknowable(String reason) implements Lookup {}
    }
}
