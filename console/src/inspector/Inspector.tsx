interface InspectorProps {
  threadId: string;
  runId: string;
  compareWith?: string | undefined;
  onClose: () => void;
}

/** What one run did, when, at what cost, and what its model saw. */
export default function Inspector({ runId }: InspectorProps) {
  return <p>{runId}</p>;
}
