package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who is calling, once that is proven. */
public sealed interface Principal {
    /** The actor in whose name the caller acts. */
    Actor actor();

    /** The name that others see. */
    String displayName();

    /** What the credential allows at most; a thread may allow less. */
    Set<Capability> scopes();

    /** What rate limits are counted by: the person, or the single credential. */
    String meteredAs();

    default boolean isOperator() {
        return this instanceof User user && user.operator();
    }

    /** Refuses what the credential does not allow anywhere. */
    default void requireScope(Capability needed) {
        if (!scopes().contains(needed)) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "This credential does not have the scope " + needed.scope() + ".");
        }
    }

    /** Refuses whom no thread can have as a participant, whichever thread it is. */
    default void requirePlace() {
        if (this instanceof Integration) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "An integration reads the threads of its source, and has no place in them.");
        }
    }

    /**
     * A person, by a user token or as the local user of a first start.
     *
     * @param goodUntil when what proved this expires, all leeway included; {@link Instant#MAX} if it does not
     */
    record User(UUID id, String displayName, boolean operator, Instant goodUntil) implements Principal {
        @Override
        public Actor actor() {
            return Actor.user(id);
        }

        /** Whether the credential named the person; without a name the id stands for it, and says nothing. */
        public boolean isNamed() {
            return !displayName.equals(actor().value());
        }

        @Override
        public Set<Capability> scopes() {
            return Capability.ALL;
        }

        @Override
        public String meteredAs() {
            return actor().value();
        }
    }

    /** An agent that runs elsewhere, by one of its tokens. */
    record Agent(UUID id, UUID tokenId, String displayName, Set<Capability> scopes) implements Principal {
        public Agent {
            scopes = Set.copyOf(scopes);
        }

        @Override
        public Actor actor() {
            return Actor.agent(id);
        }

        @Override
        public String meteredAs() {
            return "token:" + tokenId;
        }
    }

    /**
     * A platform's integration, by its key: it reads the threads of its own source, and brings what is said there.
     *
     * @param owner who manages those threads; null where the configuration names nobody, or where it does not matter
     */
    record Integration(String source, UUID keyId, @Nullable Actor owner) implements Principal {
        @Override
        public Actor actor() {
            return Sources.integration(source);
        }

        @Override
        public String displayName() {
            return source;
        }

        @Override
        public Set<Capability> scopes() {
            return Set.of(Capability.CAN_READ);
        }

        @Override
        public String meteredAs() {
            return "key:" + keyId;
        }
    }
}
