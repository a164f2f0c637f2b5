package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.app.data.BlobStores;
import dev.parley.app.data.FirstStart;
import dev.parley.archive.Import;
import dev.parley.auth.AuthSettings;
import dev.parley.basics.Sha256;
import dev.parley.nodes.Common;
import dev.parley.nodes.ListedNode;
import dev.parley.nodes.Nodes;
import dev.parley.storage.Database;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this server among the nodes of its database: its name, the settings that all nodes must share, and a
 * warning if they differ.
 */
final class ThisNode {
    private static final Logger LOG = LoggerFactory.getLogger(ThisNode.class);
    private static final int FINGERPRINT = 6;
    private static final Map<String, String> MEANING = Map.of(
            "jwt-secret",
            "verifies users' tokens with another secret, so a token of one is refused by the other;"
                    + " give all nodes the same jwt-secret",
            "signing-secret",
            "signs URLs and webhooks with another secret, so each node refuses the signatures of the other;"
                    + " give all nodes the same signing-secret",
            "storage",
            "stores objects elsewhere, so an object uploaded to one node is missing on the other;"
                    + " give all nodes the same storage-folder, or a bucket");

    private ThisNode() {}

    static Nodes join(Config config, AuthSettings auth, Database database, String version) {
        Nodes nodes = new Nodes(
                database,
                version,
                new Common(
                        jwtKeys(auth),
                        FirstStart.signingSecrets(config).stream()
                                .map(ThisNode::fingerprint)
                                .collect(Collectors.joining(",")),
                        storage(config)));
        warn(nodes.list());
        announceToImports(nodes, database);
        return nodes;
    }

    /**
     * Registers the node, and then checks for imports. An import that begins after the registration sees this node and
     * gives up. An import that was announced earlier is found by the check.
     */
    private static void announceToImports(Nodes nodes, Database database) {
        nodes.beat();
        try {
            Import.requireNoneUnfinished(database);
        } catch (RuntimeException refused) {
            nodes.leave();
            throw refused;
        }
    }

    private static void warn(List<ListedNode> others) {
        for (ListedNode other : others) {
            if (other.state() != ListedNode.State.SILENT) {
                other.differences()
                        .forEach(difference -> LOG.warn("Node {} {}.", other.shownName(), MEANING.get(difference)));
            }
        }
    }

    private static String jwtKeys(AuthSettings auth) {
        return auth.secrets().isEmpty()
                ? fingerprint(auth.jwksUrl().toString().getBytes(StandardCharsets.UTF_8))
                : auth.secrets().stream().map(ThisNode::fingerprint).collect(Collectors.joining(","));
    }

    /**
     * The identity of the storage. Two nodes share a folder if they read the same file in it, regardless of its path.
     */
    private static String storage(Config config) {
        return switch (config.stores().storage()) {
            case Config.Storage.Folder folder -> "folder " + FirstStart.idOf(BlobStores.folder(folder, config.data()));
            case Config.Storage.S3 s3 ->
                "s3 "
                        + fingerprint((s3.endpoint() + " " + s3.bucket() + " " + s3.prefix())
                                .getBytes(StandardCharsets.UTF_8));
        };
    }

    /** A fingerprint long enough to tell two secrets apart, and too short to reveal anything of a secret. */
    private static String fingerprint(byte[] secret) {
        return HexFormat.of().formatHex(Sha256.of(secret), 0, FINGERPRINT);
    }

    static String nameOf(Config config, int port) {
        return Optional.ofNullable(config.node().name()).orElseGet(() -> hostName() + ":" + port);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "node";
        }
    }
}
