import type { Participant } from "@parley/client";
import { Badge } from "../ui/Badge";

interface SuggestionsProps {
  id: string;
  candidates: Participant[];
  chosen: number;
  onChoose: (candidate: Participant) => void;
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
          title={candidate.sender_id}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(candidate);
          }}
        >
          <bdi className="ellipsis">{candidate.display_name}</bdi>
          <Badge>{candidate.participant_kind}</Badge>
        </li>
      ))}
    </ul>
  );
}
