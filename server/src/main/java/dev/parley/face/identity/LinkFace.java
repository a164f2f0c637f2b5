package dev.parley.face.identity;

import dev.parley.auth.CreationKey;
import dev.parley.auth.IdentityLinks;
import dev.parley.auth.LinkCode;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.auth.Sources;
import dev.parley.basics.Text;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.IdentityLinkPage;
import dev.parley.protocol.chat.IdentityLinkView;
import dev.parley.protocol.chat.NewIdentityLink;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes by which users link their senders on other platforms. */
public final class LinkFace {
    private final IdentityLinks links;
    private final Limits.Requests limits;
    private final long externalId;

    public LinkFace(IdentityLinks links, Limits.Requests limits, long externalId) {
        this.links = links;
        this.limits = limits;
        this.externalId = externalId;
    }

    public void addTo(Routes<Principal> routes) {
        routes.post("/api/v1/auth/identity-links", limits.body(), Rate.THREAD_OPERATION, this::begin)
                .get("/api/v1/auth/identity-links", Rate.POLL, this::list)
                .delete("/api/v1/auth/identity-links/{link_id}", Rate.THREAD_OPERATION, this::remove);
    }

    private static Principal.User requireUser(Call<Principal> call) {
        if (call.caller() instanceof Principal.User user) {
            return user;
        }
        throw new ProblemException(Problem.FORBIDDEN, "Only users can link their senders on other platforms.");
    }

    private Answer begin(Call<Principal> call) {
        Principal.User user = requireUser(call);
        NewIdentityLink wanted = call.json(NewIdentityLink.class);
        String source = wanted.source();
        if (source == null || !Sources.isSource(source)) {
            throw ProblemException.invalidField("source", "must be the name of a source");
        }
        IdentityLinks.PendingLink pending = links.begin(
                user,
                source,
                sender(source, wanted.senderId()),
                CreationKey.of(call, "identity-links", wanted, limits.opaqueId()));
        // A repeated creation gets a status of its own, because only the first response contains the code.
        return Answer.of(pending.code() == null ? 200 : 201, view(pending.link(), pending.code()));
    }

    private @Nullable Actor sender(String source, @Nullable String id) {
        if (id == null) {
            return null;
        }
        Text.requireStorable("sender_id", id);
        String prefix = Sources.prefixOf(source) + ":";
        Optional<Actor> sender = id.startsWith(prefix)
                        && id.length() > prefix.length()
                        && id.getBytes(StandardCharsets.UTF_8).length <= externalId
                ? Actor.parse(id)
                : Optional.empty();
        return sender.orElseThrow(() -> ProblemException.invalidField(
                "sender_id", "must be " + prefix + " and your id there, in " + externalId + " bytes"));
    }

    private Answer list(Call<Principal> call) {
        Principal.User user = requireUser(call);
        return Answer.ok(new IdentityLinkPage(
                links.list(user).stream().map(link -> view(link, null)).toList()));
    }

    private Answer remove(Call<Principal> call) {
        Principal.User user = requireUser(call);
        links.remove(
                user,
                UuidV7.parseCanonical(call.path("link_id"))
                        .orElseThrow(() -> new ProblemException(Problem.LINK_NOT_FOUND, "You have no such link.")));
        return Answer.noContent();
    }

    private static IdentityLinkView view(IdentityLinks.Link link, @Nullable LinkCode code) {
        boolean linked = link.linkedAt() != null;
        return new IdentityLinkView(
                link.id().toString(),
                link.source(),
                link.sender(),
                linked ? "linked" : "pending",
                code == null ? null : code.raw(),
                code == null ? null : code.toMessage(),
                link.createdAt(),
                linked ? null : link.expiresAt(),
                link.linkedAt());
    }
}
