package dev.parley.delivery;

import dev.parley.outbound.Calls;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How one platform is told something. Sends what it is given, once for each call, and never decides by itself to send it
 * again: only who called it knows what was promised. Safe for use by several threads.
 */
public interface ChatTransport {
    /** The source whose places it serves. */
    String source();

    /** How much one part may hold, by {@link #size}. */
    int largestPart();

    /** How much of the limit a text takes up. */
    default ToIntFunction<String> size() {
        return text -> text.codePointCount(0, text.length());
    }

    /** Hands one part over and says what is known of it afterwards. Throws nothing on purpose. */
    SendResult send(Parcel parcel) throws InterruptedException;

    /** Looks for a part that was handed over without an answer. */
    Lookup lookUp(Parcel parcel) throws InterruptedException;

    /**
     * Changes a part that the platform has, or takes it back if there is no text. Doing it again changes nothing, so an
     * unknown outcome is no trouble here.
     *
     * @param externalId what the platform calls the part
     */
    default SendResult revise(Parcel parcel, String externalId) throws InterruptedException {
        return new SendResult.Refused("What was sent there cannot be changed.");
    }

    /** Shows that somebody is about to answer there, where the platform can; nothing depends on it. */
    default void showTyping(ReplyTarget target) throws InterruptedException {}

    /** What became of a part that was handed over. */
    sealed interface SendResult {
        /** Of a part whose call was not answered. */
        static SendResult unanswered(Calls.NoAnswer none) {
            String why = String.valueOf(none.getMessage());
            return none.maybeSent() ? new Unknown(why) : new NotNow(why, null);
        }

        /** The platform has it, and calls it so. */
        record Delivered(String externalId) implements SendResult {}

        /**
         * The platform surely does not have it, and would take it later.
         *
         * @param after how long it wants to be left alone, if it said so
         */
        record NotNow(String why, @Nullable Duration after) implements SendResult {}

        /** The platform surely does not have it and never takes it: there is no such channel, or we may not write there. */
        record Refused(String why) implements SendResult {}

        /** Nobody knows whether the platform has it: the answer was lost, or says too little. */
        record Unknown(String why) implements SendResult {}
    }

    /** What a platform says of a part that it may have. */
    sealed interface Lookup {
        record There(String externalId) implements Lookup {}

        /** It surely does not have it and will not find it later: it may be sent again. */
        record Absent() implements Lookup {}

        /**
         * Nobody can tell; but the platform knows the part by its marker and takes it once only, so it is sent again in any
         * case. Unless it is taken then, it is as unknown as before.
         */
        record SendAgain() implements Lookup {}

        /** It cannot be told yet; to be asked again. */
        record NotYet(String why) implements Lookup {}

        /** It will never be known. */
        record Unknowable(String why) implements Lookup {}
    }
}
