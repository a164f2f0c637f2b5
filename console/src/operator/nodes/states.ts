import type { NodeState, NodeView } from "@parley/client";

/** How a node is, in a word and in a sentence. */
export const NODE_STATES = {
  alive: { words: "alive", tone: "good", title: "It has said within the last 15 seconds that it is there." },
  stopping: { words: "stopping", tone: "warn", title: "It finishes what it has begun; new work goes to others." },
  silent: { words: "silent", tone: "bad", title: "It has not been heard of for 15 seconds; others do its work." },
} as const satisfies Record<NodeState, { words: string; tone: string; title: string }>;

/** What comes of nodes that differ in a setting. */
const CONSEQUENCES: Record<string, string> = {
  "jwt-secret": "refuse each other’s sign-ins: give all nodes the same jwt-secret.",
  "signing-secret": "refuse the file addresses and webhook signatures of each other: give all nodes the same signing-secret.",
  storage: "do not find each other’s files: give all nodes the same storage-folder, or a bucket.",
};

/** What a node is called; one that does not say has its id. */
export function nameOf(node: NodeView): string {
  return node.name ?? node.node_id;
}

/** How long ago something was, as closely as one wants to know it. */
export function ago(ms: number): string {
  if (ms < 60_000) {
    return `${Math.round(ms / 1_000)} s ago`;
  }
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min ago` : `${Math.round(ms / 3_600_000)} h ago`;
}

/** How many are there, in a sentence. */
export function presence(nodes: readonly NodeView[]): string {
  const there = nodes.filter((node) => node.state !== "silent").length;
  const silent = nodes.length - there;
  const said = there === 1 ? "One node is there" : `${there} nodes are there`;
  return silent === 0 ? `${said}.` : `${said}; ${silent === 1 ? "one was" : `${silent} were`} within a day and fell silent.`;
}

/** Where nodes do not fit together, a sentence for each; those that are gone do no harm. */
export function misfits(nodes: readonly NodeView[]): string[] {
  const here = nodes.find((node) => node.answering);
  return nodes
    .filter((node) => node.state !== "silent")
    .flatMap((node) =>
      node.differences.map((setting) => {
        const consequence = CONSEQUENCES[setting] ?? `differ in ${setting}.`;
        return `${nameOf(node)} and ${here === undefined ? "this node" : nameOf(here)} ${consequence}`;
      }),
    );
}

/** Versions side by side are an upgrade under way. */
export function isMixed(nodes: readonly NodeView[]): boolean {
  return new Set(nodes.filter((node) => node.state !== "silent").map((node) => node.version)).size > 1;
}
