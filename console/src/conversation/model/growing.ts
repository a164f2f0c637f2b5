export interface Thought {
  id: string;
  text: string;
  startedAt: number;
  endedAt: number | undefined;
}

export interface GrowingCall {
  id: string;
  name: string;
  args: string;
  /** Whether all of its arguments are there. */
  isAsked: boolean;
}

/** A message that is being said. A new object whenever something is added. */
export interface Growing {
  /** Stays the same, also when the message is committed. */
  key: string;
  id: string;
  runId: string;
  /** The member of a team that speaks. */
  member: string | undefined;
  stage: string | undefined;
  text: string;
  thoughts: Thought[];
  calls: GrowingCall[];
}
