package dev.parley.delivery;

import java.util.Locale;

/** The state of one part of a reply. */
public enum DeliveryState {
    /** The part waits for its turn. */
    WAITING,
    /** The part was handed to the platform; its outcome is not known yet. */
    SENDING,
    /** The platform has the part. */
    SENT,
    /** The outcome cannot be found out. The part is listed, and not sent again automatically. */
    UNCERTAIN,
    /** The platform does not have the part, and no further attempt is made. */
    DEAD;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static DeliveryState parse(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}
