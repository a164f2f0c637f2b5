package dev.parley.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.http.Gate;
import dev.parley.http.RequestHead;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gate of the server: reads the credential of a request and identifies the caller. */
public final class Authenticator implements Gate<Principal> {
    private static final Logger LOG = LoggerFactory.getLogger(Authenticator.class);
    private static final String BEARER = "Bearer ";

    private final UserTokens userTokens;
    private final AgentTokens agentTokens;
    private final IntegrationKeys integrationKeys;
    private final StreamTickets tickets;
    private final Optional<LocalSignIn> local;
    private final Clock clock;
    private final Cache<String, UserTokens.Verified> verified = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofSeconds(60))
            .build();
    /** Agent tokens whose use was recorded within the last minute. */
    private final Cache<UUID, Boolean> noted = Caffeine.newBuilder()
            .maximumSize(100_000)
            .expireAfterWrite(Duration.ofMinutes(1))
            .build();

    public Authenticator(
            AuthSettings settings,
            UserTokens userTokens,
            AgentTokens agentTokens,
            IntegrationKeys integrationKeys,
            StreamTickets tickets,
            Clock clock) {
        this.userTokens = userTokens;
        this.agentTokens = agentTokens;
        this.integrationKeys = integrationKeys;
        this.tickets = tickets;
        this.clock = clock;
        this.local = settings.localUser().map(LocalSignIn::new);
    }

    @Override
    public Principal admit(RequestHead head) {
        Optional<String> authorization = head.header("Authorization");
        if (authorization.isEmpty()) {
            return withoutHeader(head);
        }
        String value = authorization.get();
        if (!value.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw refused("The Authorization header must use the Bearer scheme.");
        }
        return verify(value.substring(BEARER.length()).strip());
    }

    /** True if the request would be accepted without a credential. */
    public boolean needsNoToken(RequestHead head) {
        return local.flatMap(signIn -> signIn.admit(head)).isPresent();
    }

    private Principal withoutHeader(RequestHead head) {
        Optional<String> ticket = head.query("ticket");
        // The server accepts a ticket for streams only. With other requests, a ticket would be a credential in a URL.
        if (ticket.isPresent() && head.opensStream()) {
            return tickets.find(ticket.get(), head.path())
                    .orElseThrow(() -> refused("The ticket is not valid for this stream."));
        }
        return local.flatMap(signIn -> signIn.admit(head))
                .orElseThrow(() -> refused("Send a token: Authorization: Bearer …"));
    }

    private Principal verify(String token) {
        // Configured keys are checked first, because the operator chooses them and they may have any form.
        Optional<Principal.Integration> configured = integrationKeys.findConfigured(token);
        if (configured.isPresent()) {
            return configured.get();
        }
        if (token.startsWith(AgentTokens.PREFIX)) {
            return agent(token);
        }
        // A JWT has two dots. No key that the server created contains a dot.
        if (token.indexOf('.') < 0) {
            return integrationKeys.find(token).orElseThrow(() -> refused("The token is not known."));
        }
        return user(token);
    }

    private Principal agent(String token) {
        if (!Credential.looksLike(AgentTokens.PREFIX, token)) {
            throw refused("The token cannot be read.");
        }
        Principal.Agent agent = agentTokens
                .find(token)
                .orElseThrow(() -> refused("The token is not valid, was revoked or has expired."));
        if (noted.asMap().putIfAbsent(agent.tokenId(), true) == null) {
            Thread.startVirtualThread(() -> note(agent.tokenId()));
        }
        return agent;
    }

    private void note(UUID token) {
        try {
            agentTokens.used(token);
        } catch (RuntimeException unavailable) {
            noted.invalidate(token);
            LOG.debug("Could not record the use of an agent token; recording a later use: {}", unavailable.toString());
        }
    }

    private Principal user(String token) {
        UserTokens.Verified cached = verified.getIfPresent(token);
        if (cached == null || !cached.expires().isAfter(clock.instant())) {
            cached = userTokens.verify(token);
            if (cached.expires().isAfter(clock.instant())) {
                verified.put(token, cached);
            }
        }
        return cached.user();
    }

    private static ProblemException refused(String why) {
        return new ProblemException(Problem.UNAUTHENTICATED, why);
    }
}
