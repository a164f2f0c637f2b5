import type { MentionCandidate } from "@parley/client";

interface SuggestionsProps {
  id: string;
  candidates: MentionCandidate[];
  chosen: number;
  onChoose: (candidate: MentionCandidate) => void;
}

/** The names that could be meant, above the field. The field keeps the focus. */
export function Suggestions({ id, candidates, chosen, onChoose }: SuggestionsProps) {
  return (
    <ul id={id} className="composer-suggestions" role="listbox" aria-label="People and agents">
      {candidates.map((candidate, index) => (
        <li
          key={candidate.sender_id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(candidate);
          }}
        >
          <bdi>{candidate.display_name}</bdi>
          <span className="quiet small ellipsis">{candidate.sender_id}</span>
        </li>
      ))}
    </ul>
  );
}
