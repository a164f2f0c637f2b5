package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Audit;
import dev.parley.auth.AuthSettings;
import dev.parley.auth.Authenticator;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.StreamTickets;
import dev.parley.auth.UserTokens;
import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.time.Clock;
import java.util.Map;
import java.util.stream.Collectors;

/** The means by which callers prove who they are. */
record Credentials(
        AgentTokens agentTokens, IntegrationKeys keys, StreamTickets tickets, Audit audit, Authenticator gate) {
    static Credentials open(Config config, AuthSettings auth, UserTokens tokens, Database database, Clock clock) {
        AgentTokens agentTokens = new AgentTokens(database, clock);
        Audit audit = new Audit(database, clock);
        IntegrationKeys keys = new IntegrationKeys(
                database,
                clock,
                audit,
                config.access().integrationKeys().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().reveal())),
                config.access().operators().named().stream()
                        .findFirst()
                        .or(() -> auth.localUser().map(Actor::user)));
        StreamTickets tickets = new StreamTickets(database, clock, agentTokens, keys);
        return new Credentials(
                agentTokens, keys, tickets, audit, new Authenticator(auth, tokens, agentTokens, keys, tickets, clock));
    }
}
