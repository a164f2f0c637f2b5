package dev.parley.app;

import dev.parley.app.config.Secret;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;

/** Calls of other services: where they may go, how they are made, and the secrets that they carry. */
record Outgoing(Outbound outbound, Calls calls, Secrets secrets) {
    static Outgoing open(Foundation base) {
        Outbound outbound = new Outbound(base.config().services().allowed());
        return new Outgoing(
                outbound,
                base.keep(new Calls(outbound)),
                Secret.revealed(base.config().services().secrets()));
    }
}
