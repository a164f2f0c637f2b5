package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.app.data.BlobStores;
import dev.parley.attachments.Attachments;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.ObjectParts;
import dev.parley.attachments.ObjectUrls;
import dev.parley.attachments.StoredObjects;
import dev.parley.attachments.UrlTokens;
import dev.parley.limits.Limits;
import java.net.URI;
import java.time.Clock;
import java.util.function.Supplier;

/** The objects of users and agents, and the attachments among them. */
record ObjectServices(ObjectParts parts, Attachments attachments, StoredObjects stored) {
    /** @param publicUrl the address at which callers reach the server; read only after the server listens */
    static ObjectServices open(Foundation base, Supplier<URI> publicUrl) {
        Config config = base.config();
        Limits limits = base.limits();
        Clock clock = base.clock();
        BlobStore store = base.keep(BlobStores.open(config.stores().storage(), config.data()));
        UrlTokens tokens = new UrlTokens(base.signingSecrets(), clock);
        ObjectParts parts = base.keep(ObjectParts.of(
                base.database(),
                store,
                config.data().resolve("arriving"),
                new ObjectUrls(tokens, publicUrl),
                tokens,
                limits.objects()));
        return new ObjectServices(
                parts,
                new Attachments(parts, limits.objects(), limits.requests().opaqueId(), clock),
                new StoredObjects(parts, limits.objects(), limits.requests().metadataBytes(), clock));
    }
}
