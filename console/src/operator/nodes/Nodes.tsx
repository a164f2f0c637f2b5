import type { NodeView } from "@parley/client";
import { useEffect } from "react";
import { useParley } from "../../connection/context";
import { Badge } from "../../ui/Badge";
import { duration } from "../../ui/time";
import { useLoaded } from "../../ui/useLoaded";
import { Listing } from "../Listing";
import { Records, type Column } from "../Records";
import { Time } from "../Time";
import { ago, isMixed, misfits, nameOf, NODE_STATES, presence } from "./states";
import "./nodes.css";

/** As often as nodes say that they are there. */
const EVERY_MS = 5_000;

const number = (value: number | null) => value ?? "–";

const COLUMNS: Column<NodeView>[] = [
  {
    head: "Node",
    kind: "main",
    cell: (node) => (
      <>
        <span dir="auto">{nameOf(node)}</span>
        {node.answering && <span className="nodes-here small quiet"> answers you</span>}
        {node.address !== null && <div className="nodes-address small quiet">{node.address}</div>}
      </>
    ),
  },
  {
    head: "State",
    cell: ({ state }) => (
      <Badge tone={NODE_STATES[state].tone} title={NODE_STATES[state].title}>
        {NODE_STATES[state].words}
      </Badge>
    ),
  },
  { head: "Last heard of", kind: "number", cell: (node) => ago(node.heartbeat_age_ms) },
  { head: "Runs", kind: "number", cell: (node) => number(node.runs_executing) },
  { head: "Streams", kind: "number", cell: (node) => number(node.open_streams) },
  { head: "Queue", kind: "number", cell: (node) => number(node.lane_queue) },
  { head: "Bus", kind: "number", cell: (node) => (node.bus_lag_ms === null ? "–" : duration(node.bus_lag_ms)) },
  { head: "Version", cell: (node) => node.version ?? "–" },
  { head: "Started", cell: (node) => <Time at={node.started_at} /> },
];

/** The servers that share the database: which are there, and how they are doing. */
export function Nodes() {
  const parley = useParley();
  const nodes = useLoaded((signal) => parley.operator.nodes({ signal }), [parley]);
  const { reload } = nodes;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <Listing loaded={nodes} isEmpty={(list) => list.length === 0} empty="No node has said that it is there.">
      {(list) => (
        <>
          <p className="quiet">
            {presence(list)} {isMixed(list) && "They are of different versions, as during an upgrade."}
          </p>
          {misfits(list).map((each) => (
            <p key={each} className="notice notice-warn" role="alert" dir="auto">
              {each}
            </p>
          ))}
          <Records caption="Nodes" rows={list} columns={COLUMNS} keyOf={(node) => node.node_id} />
        </>
      )}
    </Listing>
  );
}
