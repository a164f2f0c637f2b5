import { Button } from "../ui/Button";

const SAMPLES = ["weather in Lisbon", "/think about the sea", "/team plan a picnic", "/approve Send the letter?", "/card Hello"];

/** What a newcomer sees first: a few things to say to the demo agent. */
export function Welcome({ onSay }: { onSay: (text: string) => void }) {
  return (
    <div className="welcome">
      <h2>Say something to start</h2>
      <p>Everything is kept as it was said, in one order. Reload whenever you like, also in the middle of an answer. The demo agent knows these, among others:</p>
      <div className="welcome-samples">
        {SAMPLES.map((sample) => (
          <Button key={sample} onClick={() => onSay(sample)}>
            {sample}
          </Button>
        ))}
      </div>
    </div>
  );
}
