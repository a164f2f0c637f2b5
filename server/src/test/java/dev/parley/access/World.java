package dev.parley.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.storage.Database;
import dev.parley.testing.Platforms;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server with every kind of caller, permitted or not, and their credentials. */
final class World implements AutoCloseable {
    private static final String SECRET = "a secret that signs tokens with something wrong about them";
    private static final List<String> SCOPES = List.of("observe", "speak", "run", "manage_thread");
    /** A URL without a listener. */
    static final String NOBODYS_URL = "http://127.0.0.1:9/parley";

    static final String TOKENS = "/api/v1/owner/external-agents/tokens";

    /**
     * The counts of all objects that calls can create, except objects that the server purges, sweeps or delivers by
     * itself.
     */
    private static final String MADE = """
            select 'threads ' || count(*) from threads
            union all select 'participants ' || count(*) from participants
            union all select 'webhooks ' || count(*) from webhooks join threads using (thread_id)
                where deleted_at is null
            union all select 'deliveries ' || coalesce(string_agg(state, ',' order by delivery_id), '') from deliveries
                join threads using (thread_id) where deleted_at is null
            union all select 'agents ' || count(*) from agents
            union all select 'agent tokens ' || count(*) || ', revoked ' || count(revoked_at) from agent_tokens
            union all select 'integration keys ' || count(*) || ', revoked ' || count(revoked_at) from integration_keys
            union all select 'runs ' || count(*) || ', over ' || count(ended_at) from runs
                where origin = 'client'
            union all select 'inbound events ' || count(*) || ', bindings ' || (select count(*) from bindings)
                from inbound_events
            union all select 'states ' || count(*) from thread_states
            union all select 'request keys ' || count(*) from request_keys
            union all select 'objects ' || count(*) || ', bytes ' || coalesce(sum(bytes), 0) from objects
            union all select 'names of sessions ' || count(*) from thread_aliases
            union all select 'chat events ' || count(*) from chat_events join threads using (thread_id)
                where deleted_at is null
            union all select 'documents ' || coalesce(sum(version), 0) from session_documents
                join threads using (thread_id) where deleted_at is null
            union all select 'runs of sessions ' || count(*) || ', versions ' || coalesce(sum(version), 0)
                from session_runs join threads using (thread_id) where deleted_at is null
            -- retention makes a row of its own, beside the calls
            union all select 'erasures ' || count(*) || ', retention ' ||
                (select count(retention_days) from threads) from erasures where subject_thread is not null
                or subject_actor is not null
            -- the end of an erasure is noted beside the calls
            union all select 'audit ' || count(*) from audit where action <> 'erasure.finished'""";

    private static final UUID OPERATOR = UUID.randomUUID();

    final RunningServer server;
    private final Database database;
    final Calls api;
    final String operator;
    final UUID ownerId = UUID.randomUUID();
    final UUID memberId = UUID.randomUUID();
    final UUID removedId = UUID.randomUUID();
    final String owner;
    final String member;
    final String removed;
    final String stranger;
    final String agent;
    final String agentToken;
    final String memberAgent;
    /** Agents in every thread, by the scope that their token lacks. */
    final Map<String, String> unscopedAgents = new LinkedHashMap<>();

    final Map<String, String> unscopedTokens = new LinkedHashMap<>();
    private final List<Visitor> nobodies = new ArrayList<>();
    private final String otherAgentToken;
    private final String rightKey;
    private final String otherKey;

    World() throws JOSEException {
        TestClock clock = TestClock.at(Instant.now().minus(Duration.ofDays(1)));
        server = RunningServer.start(
                clock,
                Platforms.flags(
                        OPERATOR,
                        "--rate-limits",
                        "off",
                        "--jwt-secret-previous",
                        SECRET,
                        "--outbound-allow",
                        "127.0.0.1:9"));
        database = Database.open(server.database(), 1);
        api = new Calls(server.uri());
        UUID soonExpired = UUID.randomUUID();
        String expiredUser = server.server().tokens().mint(soonExpired, "Late", Duration.ofMinutes(10));
        String lateOwner = server.token(soonExpired, "Late");
        String expiredAgent = token(
                        lateOwner,
                        newAgent(lateOwner, "Late agent", "private"),
                        SCOPES,
                        clock.instant().plus(Duration.ofMinutes(10)))
                .path("raw_token")
                .asString();
        clock.set(Instant.now());
        operator = server.token(OPERATOR, "Olivia");
        owner = server.token(ownerId, "Ada");
        member = server.token(memberId, "Max");
        removed = server.token(removedId, "Rita");
        stranger = server.token(UUID.randomUUID(), "Sam");
        agent = newAgent(owner, "Builder", "private");
        agentToken = token(owner, agent, SCOPES, null).path("raw_token").asString();
        memberAgent = newAgent(member, "Max's agent", "shared");
        String otherAgent = newAgent(stranger, "Stranger's agent", "private");
        otherAgentToken =
                token(stranger, otherAgent, SCOPES, null).path("raw_token").asString();
        for (String scope : SCOPES) {
            String unscoped = newAgent(owner, "Without " + scope, "private");
            unscopedAgents.put(scope, unscoped);
            List<String> rest =
                    SCOPES.stream().filter(each -> !each.equals(scope)).toList();
            unscopedTokens.put(
                    scope, token(owner, unscoped, rest, null).path("raw_token").asString());
        }
        rightKey = newKey("slack").path("raw_key").asString();
        otherKey = newKey("relay").path("raw_key").asString();
        addNobodies(expiredUser, expiredAgent);
    }

    private void addNobodies(String expiredUser, String expiredAgent) throws JOSEException {
        JsonNode revokedToken = token(owner, agent, SCOPES, null);
        api.must("DELETE", TOKENS + "/" + revokedToken.path("token_id").asString(), owner, "");
        JsonNode revokedKey = newKey("slack");
        api.must(
                "DELETE",
                "/api/v1/operator/integration-keys/" + revokedKey.path("key_id").asString(),
                operator,
                "");
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject(ownerId.toString())
                .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))));
        unauthenticated("without a credential", "");
        unauthenticated("with nonsense", "nonsense");
        unauthenticated("with an expired user token", expiredUser);
        unauthenticated("with an expired agent token", expiredAgent);
        unauthenticated(
                "with a revoked agent token", revokedToken.path("raw_token").asString());
        unauthenticated(
                "with a revoked integration key", revokedKey.path("raw_key").asString());
        unauthenticated(
                "with a token for another audience",
                signed(claims.audience("somebody else").build(), SECRET));
        unauthenticated(
                "with a token of another signer",
                signed(claims.audience("authenticated").build(), SECRET + "!"));
        unauthenticated("with a token of algorithm none", new PlainJWT(claims.build()).serialize());
    }

    private void unauthenticated(String name, String credential) {
        nobodies.add(new Visitor(name, credential, "", Visitor.Standing.NOBODY));
    }

    static String signed(JWTClaimsSet claims, String secret) throws JOSEException {
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
        token.sign(new MACSigner(secret));
        return token.serialize();
    }

    /** Differs from the refused tokens only by its audience and its signer. */
    String signedByTheFormerSecret(UUID user) throws JOSEException {
        return signed(
                new JWTClaimsSet.Builder()
                        .subject(user.toString())
                        .audience("authenticated")
                        .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))))
                        .build(),
                SECRET);
    }

    /** Visitors that are refused first, visitors that change objects last. */
    List<Visitor> visitors() {
        List<Visitor> all = new ArrayList<>(nobodies);
        all.add(new Visitor("stranger", stranger, "user", Visitor.Standing.OUTSIDER));
        all.add(new Visitor("removed member", removed, "user", Visitor.Standing.OUTSIDER));
        all.add(new Visitor("agent of another thread", otherAgentToken, "agent", Visitor.Standing.OUTSIDER));
        all.add(new Visitor("key of another source", otherKey, "integration", Visitor.Standing.OUTSIDER));
        unscopedTokens.forEach((scope, token) ->
                all.add(new Visitor("agent without " + scope, token, "agent", Visitor.Standing.UNSCOPED, scope)));
        all.add(new Visitor("key of its source", rightKey, "integration", Visitor.Standing.OWNER));
        all.add(new Visitor("operator", operator, "operator", Visitor.Standing.OUTSIDER));
        all.add(new Visitor("member", member, "user", Visitor.Standing.MEMBER));
        all.add(new Visitor("agent with all scopes", agentToken, "agent", Visitor.Standing.OWNER));
        all.add(new Visitor("owner", owner, "user", Visitor.Standing.OWNER));
        return all;
    }

    String newAgent(String owner, String name, String visibility) {
        return api.must("POST", "/api/v1/owner/agents", owner, Map.of("display_name", name, "visibility", visibility))
                .path("agent_id")
                .asString();
    }

    JsonNode token(String owner, String agent, List<String> scopes, @Nullable Instant expires) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("agent_actor_id", agent, "scopes", scopes));
        if (expires != null) {
            body.put("expires_at", expires.toString());
        }
        return api.must("POST", TOKENS, owner, body);
    }

    /** A reply that a platform refused. */
    String deadLetter(String thread) {
        String id = UUID.randomUUID().toString();
        server.execute(
                "insert into destinations values (gen_random_uuid(), 'nowhere', '', '" + id + "', '', '" + thread
                        + "', now(), null, null, now(), 0)",
                "insert into deliveries (delivery_id, destination_id, thread_id, seq, message_id, part, parts, content,"
                        + " marker, state, created_at, ended_at) select '" + id
                        + "', destination_id, thread_id, 1, 'm',"
                        + " 1, 1, 'hello', '" + id + "', 'dead', now(), now() from destinations where channel = '" + id
                        + "'");
        return id;
    }

    JsonNode newKey(String source) {
        return api.must("POST", "/api/v1/operator/integration-keys", operator, Map.of("source", source));
    }

    String newErasure() {
        return api.must("POST", "/api/v1/operator/erasures", operator, Map.of("actor", "slack:nobody"))
                .path("erasure_id")
                .asString();
    }

    /** The counts of all objects that calls have created. */
    List<String> made() {
        return database.read(
                handle -> handle.createQuery(MADE).mapTo(String.class).list());
    }

    @Override
    public void close() {
        api.close();
        database.close();
        server.close();
    }
}
