import { Button } from "../ui/Button";
import type { AnsweringAgent } from "./answering";

const SAMPLES = ["weather in Lisbon", "/think about the sea", "/team plan a picnic", "/approve Send the letter?", "/card Hello"];

interface WelcomeProps {
  agents: AnsweringAgent[];
  /** Whether agents answer only when they are mentioned. */
  isOnMention: boolean;
  onSay: (text: string) => void;
}

/** The empty conversation: who answers in it and, if that is the demo agent, a few things to say to it. */
export function Welcome({ agents, isOnMention, onSay }: WelcomeProps) {
  const demo = agents.find(({ kind }) => kind === "demo");
  return (
    <div className="welcome">
      <h2>Say something to start</h2>
      <p>Everything is kept as it was said, in one order. Reload whenever you like, also in the middle of an answer.</p>
      {agents.length > 0 && (
        <p className="welcome-agents">
          {agents.map(({ name }, index) => (
            <span key={index}>
              {index > 0 && ", "}
              <bdi>{name}</bdi>
            </span>
          ))}
          {agents.length === 1 ? " answers" : " answer"}
          {isOnMention ? " when mentioned." : "."}
          {demo !== undefined && (
            <>
              {" "}
              <bdi>{demo.name}</bdi> knows these, among others:
            </>
          )}
        </p>
      )}
      {demo !== undefined && (
        <div className="welcome-samples">
          {SAMPLES.map((sample) => (
            <Button key={sample} onClick={() => onSay(sample)}>
              {sample}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
