package dev.parley.sdk;

import dev.parley.protocol.chat.AuditPage;
import dev.parley.protocol.chat.IntegrationKeyPage;
import dev.parley.protocol.chat.IntegrationKeyView;
import dev.parley.protocol.chat.NewIntegrationKey;
import java.util.List;

/** The calls that only operators may make. */
public final class Operator {
    private static final String KEYS = "/api/v1/operator/integration-keys";
    private static final String AUDIT = "/api/v1/operator/audit";

    private final Transport transport;

    Operator(Transport transport) {
        this.transport = transport;
    }

    /**
     * Creates a key for an integration; only this answer shows its raw value. The request is sent once. If no answer
     * comes, look for an unknown key among {@link #keys} and revoke that key.
     */
    public IntegrationKeyView createKey(String source) {
        return transport.call(Request.post(KEYS, new NewIntegrationKey(source)).once(), IntegrationKeyView.class);
    }

    public List<IntegrationKeyView> keys() {
        return transport.get(KEYS, IntegrationKeyPage.class).keys();
    }

    public void revokeKey(String keyId) {
        transport.remove(KEYS + "/" + Request.encode(keyId));
    }

    /** The actions of operators, the newest first. */
    public AuditPage audit() {
        return transport.get(AUDIT, AuditPage.class);
    }

    /** The actions before the given action. */
    public AuditPage auditBefore(long auditId) {
        return transport.get(AUDIT + "?before=" + auditId, AuditPage.class);
    }
}
