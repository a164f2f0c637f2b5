const REASONS: Record<string, string> = {
  open: "The conversation is open: agents answer whatever people say.",
  mentioned: "The agent was addressed.",
  run: "It came with a run of this agent.",
  not_mentioned: "Agents answer here only when they are addressed.",
  own_message: "The agent said it itself.",
  agent_not_mentioned: "A bot or an agent said it, and addressed others or nobody.",
  hop_limit: "Bots and agents had answered each other too often in a row.",
  agent_budget: "Bots and agents had talked enough for the time being.",
  inactive: "The agent is switched off.",
  system_message: "Nobody answers what the system says.",
  passive: "The integration brought it only to be known, not to be answered.",
  belongs_to_run: "It came with a run of another agent.",
  no_agent: "There is no agent in the conversation.",
  echo: "It is our own answer, which the platform showed us again.",
  mirror: "It is the second half of a message to oneself, and was here already.",
  archived: "The conversation is archived.",
  deleted: "It was taken back before it came.",
  identity_link: "It was a code, and the sender is now linked to a user.",
  identity_link_refused: "It was a code that was wrong, old, or meant for somebody else.",
};

/** Why something was answered or was not, as a sentence. Reasons of a later server are shown as they are. */
export const reasonSentence = (reason: string): string => REASONS[reason] ?? reason;
