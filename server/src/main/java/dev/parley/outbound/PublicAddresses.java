package dev.parley.outbound;

import dev.parley.protocol.Split;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Decides if an address is public, by IANA's registries of special-purpose addresses (RFC 6890). An IPv6 address is
 * public only if its block is allocated. A translated address is public only if the IPv4 address in it is public.
 */
final class PublicAddresses {
    private static final List<Block> CLOSED = blocks(
            "0.0.0.0/8", // this network
            "10.0.0.0/8", // private
            "100.64.0.0/10", // shared by a provider's customers
            "127.0.0.0/8", // this machine
            "169.254.0.0/16", // this link; also where clouds keep their secrets
            "172.16.0.0/12", // private
            "192.0.0.0/24", // assigned by protocols
            "192.0.2.0/24", // documentation
            "192.88.99.0/24", // former relays of 6to4
            "192.168.0.0/16", // private
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // reserved, and broadcast
    private static final Block ALLOCATED = Block.parse("2000::/3");
    private static final List<Block> CLOSED_6 = blocks(
            "2001::/23", // assigned by protocols, tunnels among them
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4, which carries any address of IPv4
            "3fff::/20"); // documentation
    /** Addresses that are translated to the IPv4 address in their last four bytes (RFC 6052). */
    private static final Block TRANSLATED = Block.parse("64:ff9b::/96");

    private PublicAddresses() {}

    static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            return CLOSED.stream().noneMatch(block -> block.holds(bytes));
        }
        if (TRANSLATED.holds(bytes)) {
            return isPublic(of(Arrays.copyOfRange(bytes, 12, 16)));
        }
        return ALLOCATED.holds(bytes) && CLOSED_6.stream().noneMatch(block -> block.holds(bytes));
    }

    private static List<Block> blocks(String... all) {
        return Arrays.stream(all).map(Block::parse).toList();
    }

    private static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException wrongLength) {
            throw new IllegalArgumentException(wrongLength);
        }
    }

    /** The addresses with a common prefix. */
    private record Block(byte[] start, int bits) {
        static Block parse(String text) {
            List<String> parts = Split.at('/', text, 2);
            return new Block(InetAddress.ofLiteral(parts.getFirst()).getAddress(), Integer.parseInt(parts.getLast()));
        }

        boolean holds(byte[] address) {
            if (address.length != start.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % 8);
                if ((address[bit / 8] & mask) != (start[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }
}
