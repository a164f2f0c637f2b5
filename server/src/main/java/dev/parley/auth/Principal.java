package dev.parley.auth;

import dev.parley.protocol.Actor;
import java.util.UUID;

/** Who is calling, once that is proven. */
public sealed interface Principal {
    /** The actor in whose name the caller acts. */
    Actor actor();

    /** The name that others see. */
    String displayName();

    default boolean isOperator() {
        return this instanceof User user && user.operator();
    }

    /** A person, by a user token or as the local user of a first start. */
    record User(UUID id, String displayName, boolean operator) implements Principal {
        @Override
        public Actor actor() {
            return Actor.user(id);
        }
    }
}
