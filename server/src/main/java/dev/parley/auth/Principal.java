package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The authenticated caller. */
public sealed interface Principal {
    /** The actor in whose name the caller acts. */
    Actor actor();

    /** The name shown to other participants. */
    String displayName();

    /** The rights of the credential; a thread may allow fewer. */
    Set<Capability> scopes();

    /** The name under which the rate limits count calls: the user, or the single token or key. */
    String meteredAs();

    default boolean isOperator() {
        return this instanceof User user && user.operator();
    }

    /** Refuses a call that the credential does not allow in any thread. */
    default void requireScope(Capability needed) {
        if (!scopes().contains(needed)) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "This credential does not have the scope " + needed.scope() + ".");
        }
    }

    /** Refuses callers that cannot be a participant of any thread. */
    default void requirePlace() {
        if (this instanceof Integration) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "An integration reads the threads of its source, but cannot be a participant.");
        }
    }

    /** A person with a user token, or the local user of a first start. */
    record User(UUID id, String displayName, boolean operator, Instant goodUntil) implements Principal {
        @Override
        public Actor actor() {
            return Actor.user(id);
        }

        /** True if the credential carried a name. Otherwise the display name is the id. */
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

    /** An external agent that authenticates with one of its tokens. */
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
     * An integration of a platform, which authenticates with its key. It reads the threads of its own source, and
     * delivers messages into these threads.
     *
     * @param owner the manager of the source's threads; null if no owner is configured or the owner is not needed
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
