package dev.parley.face.identity;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.auth.StreamTickets;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.RequestHead;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.chat.Caller;
import dev.parley.protocol.chat.NewTicket;
import dev.parley.protocol.chat.OidcClient;
import dev.parley.protocol.chat.SignIn;
import dev.parley.protocol.chat.Ticket;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The routes about the caller itself, and the routes of sign-in. */
public final class IdentityFace {
    private static final int MAX_PATH = 1_000;

    private final Predicate<RequestHead> needsNoToken;
    private final @Nullable OidcClient oidc;
    private final StreamTickets tickets;
    private final Limits.Requests limits;

    /** @param needsNoToken true for a request that is accepted without a credential */
    public IdentityFace(
            Predicate<RequestHead> needsNoToken,
            @Nullable OidcClient oidc,
            StreamTickets tickets,
            Limits.Requests limits) {
        this.needsNoToken = needsNoToken;
        this.oidc = oidc;
        this.tickets = tickets;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        routes.get("/api/v1/auth/me", Unrated.FREE, this::me)
                .openGet("/api/v1/auth/sign-in", call -> Answer.ok(new SignIn(needsNoToken.test(call.head()), oidc)))
                .post(
                        "/api/v1/auth/stream-tickets",
                        limits.body(),
                        Unrated.BY_HANDLER,
                        call -> createTicket(call, routes));
    }

    private Answer me(Call<Principal> call) {
        Principal caller = call.caller();
        return Answer.ok(new Caller(
                caller.actor(),
                switch (caller) {
                    case Principal.User user -> "user";
                    case Principal.Agent agent -> "agent";
                    case Principal.Integration integration -> "integration";
                },
                caller.displayName(),
                caller.isOperator(),
                caller.scopes().stream().sorted().map(Capability::scope).toList()));
    }

    private Answer createTicket(Call<Principal> call, Routes<Principal> routes) {
        // Each ticket is a row in the database, so the call is counted: like a message for a user, and like a change of
        // a thread for any other caller.
        call.count(call.caller() instanceof Principal.User ? Rate.USER_MESSAGE : Rate.THREAD_OPERATION);
        String path = call.json(NewTicket.class).path();
        if (path == null || path.contains("?") || path.length() > MAX_PATH || !routes.opensStream(path)) {
            throw ProblemException.invalidField("path", "must be the path of a stream, without a query");
        }
        return Answer.created(new Ticket(tickets.create(call.caller(), path)));
    }
}
