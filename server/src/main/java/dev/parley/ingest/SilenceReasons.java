package dev.parley.ingest;

import dev.parley.auth.IdentityLinks;
import java.util.Optional;

/** The reasons for which an inbound message is stored, but not answered. */
final class SilenceReasons {
    private final IdentityLinks links;
    private final WaitingRevisions waiting;

    SilenceReasons(IdentityLinks links, WaitingRevisions waiting) {
        this.links = links;
        this.waiting = waiting;
    }

    /** The reason for which no agent answers; empty if agents may answer. A link code in a message links the sender. */
    Optional<String> reason(InboundOwner holder, ParsedInbound given, Conversations.Target target) {
        return given.linkCode()
                .map(code -> links.redeem(holder.source(), given.sender().actor(), code)
                        ? "identity_link"
                        : "identity_link_refused")
                .or(() -> target.archived() ? Optional.of("archived") : Optional.empty())
                .or(() -> given.verified() && waiting.isDeleted(holder.source(), given.keys())
                        ? Optional.of("deleted")
                        : Optional.empty());
    }
}
