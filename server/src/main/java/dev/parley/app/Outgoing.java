package dev.parley.app;

import dev.parley.app.config.Secret;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;

/** Calls of other services: the allowed destinations, the client, and the secrets that calls carry. */
record Outgoing(Outbound outbound, Calls calls, Secrets secrets) {
    static Outgoing open(Foundation base) {
        Outbound outbound = new Outbound(base.config().services().allowed());
        return new Outgoing(
                outbound,
                base.keep(new Calls(outbound)),
                Secret.revealed(base.config().services().secrets()));
    }
}
