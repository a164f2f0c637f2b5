package dev.parley.bench.rig;

import dev.parley.testkit.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A {@link BareServer} as a process of its own, with the JVM flags of the server that it is compared with. */
public final class BareProcess implements AutoCloseable {
    public static final String HOST = "127.0.0.1";

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final InetSocketAddress address;

    public BareProcess(Path folder) {
        try {
            process =
                    ChildProcess.java(folder, Map.of(), ServerProcess.JVM_FLAGS, BareServer.class.getName(), List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            String port =
                    process.awaitLine("listening on ([0-9]+)", START_LIMIT).group(1);
            address = new InetSocketAddress(HOST, Integer.parseInt(port));
        } catch (RuntimeException | Error failed) {
            process.close();
            throw failed;
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    public CpuUse used() {
        return CpuUse.ofProcess(process.pid());
    }

    @Override
    public void close() {
        process.close();
    }
}
