import type { ReactNode } from "react";
import type { ResumeEntry } from "@parley/client";
import type { Pending } from "../composer/outbox";

export interface ConversationProps {
  threadId: string;
  /** What was written here and is still on its way, oldest first. */
  pending: Pending[];
  /** Shown while the thread has no messages. */
  welcome: ReactNode;
  /** Answers an open question of an agent; the text is said by the user. */
  onResume: (text: string, resume: ResumeEntry[]) => void;
  /** Has a message of the user's answered once more. */
  onRegenerate: (messageId: string, agentId?: string) => void;
  /** Sends a refused one again, or gives it up and offers its text in the composer. */
  onResend: (pending: Pending) => void;
  onGiveUp: (pending: Pending) => void;
  onInspect: (runId: string) => void;
}

/** A thread's messages, from the first to what is being said right now. */
export function Conversation({ welcome }: ConversationProps) {
  return <div>{welcome}</div>;
}
