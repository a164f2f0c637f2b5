import { extractMentionedIds, type MentionCandidate, type Participant } from "@parley/client";
import { useEffect, useId, useMemo, useRef, useState, useSyncExternalStore, type ClipboardEvent, type KeyboardEvent } from "react";
import { useMe, useParley } from "../connection/context";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { AgentChoice, type AgentOption } from "./AgentChoice";
import { candidatesFor, mentioningAt, withMention } from "./mentioning";
import type { SentImage } from "./outbox";
import { Suggestions } from "./Suggestions";
import { UploadChips } from "./UploadChips";
import { openDraft } from "./uploads";
import { useDrops } from "./useDrops";
import "./composer.css";

/** What was written, to be sent. */
export interface Written {
  text: string;
  images: SentImage[];
  mentions: string[];
  agentId?: string | undefined;
}

/** Something to be put into the field, once for each `key`. */
export interface Offer {
  key: string;
  text: string;
  images: SentImage[];
}

interface ComposerProps {
  threadId: string;
  /** Under which name the draft is kept; the thread's own if not said. */
  draftId?: string | undefined;
  participants: Participant[];
  agents: AgentOption[];
  offer?: Offer | undefined;
  /** Whether writing is what one has come for. */
  isFirst?: boolean;
  /** Why nothing can be written here. */
  closed?: string | undefined;
  onSend: (written: Written) => void;
  onTyping: () => void;
}

const WAITING = "It will be sent as soon as its images are uploaded.";
const FAILED = "Not sent: remove the image that could not be uploaded, or try again.";

/** Where messages are written. Made anew for every thread. */
export function Composer({ threadId, draftId = threadId, participants, agents, offer, isFirst = false, closed, onSend, onTyping }: ComposerProps) {
  const parley = useParley();
  const me = useMe();
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const suggestionsId = useId();
  // What was new has a draft of its own once it has begun.
  const [draft, uploads] = useMemo(
    () => openDraft(parley, me.sender_id, threadId, draftId),
    [parley, me.sender_id, threadId, draftId],
  );
  const [text, setText] = useState(() => draft.text);
  const all = useSyncExternalStore(uploads.subscribe, uploads.all);
  const [note, setNote] = useState<string>();
  /** Whether it was sent before its images were there. */
  const [isWaiting, setIsWaiting] = useState(false);
  const [agentId, setAgentId] = useState<string>();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState(false);

  const mentioning = useMemo(() => (dismissed ? undefined : mentioningAt(text, caret)), [text, caret, dismissed]);
  const candidates = mentioning === undefined ? [] : candidatesFor(mentioning.query, participants);

  useEffect(() => {
    draft.text = text;
  }, [draft, text]);
  useEffect(() => {
    if (offer !== undefined) {
      setText((written) => (written && offer.text ? `${written}\n${offer.text}` : written || offer.text));
      uploads.offer(offer.images);
      field.current?.focus();
    }
  }, [offer, uploads]);
  useEffect(() => {
    if (isWaiting && !uploads.isUploading) {
      send();
    }
  }, [isWaiting, all]);
  useEffect(() => fit(field.current), [text]);
  const isDropping = useDrops((dropped) => setNote(uploads.add(dropped)), closed === undefined);

  function send(): void {
    const said = text.trim() === "" ? "" : text;
    if ((said === "" && all.length === 0) || closed !== undefined) {
      return;
    }
    setIsWaiting(uploads.isUploading);
    if (uploads.isUploading || uploads.hasFailed) {
      setNote(uploads.isUploading ? WAITING : FAILED);
      return;
    }
    onSend({ text: said, images: uploads.images, mentions: extractMentionedIds(said, participants), agentId });
    draft.text = "";
    setText("");
    setNote(undefined);
    uploads.clear();
    field.current?.focus();
  }

  function mention(candidate: MentionCandidate): void {
    if (mentioning !== undefined) {
      const [next, at] = withMention(text, caret, mentioning, candidate.display_name);
      setText(next);
      setCaret(at);
      requestAnimationFrame(() => field.current?.setSelectionRange(at, at));
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // While an input method composes a character, the keys belong to it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) {
      return;
    }
    if (candidates.length > 0 && onSuggestionKey(event)) {
      event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  }

  function onSuggestionKey(event: KeyboardEvent): boolean {
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        setChosen((chosen + (event.key === "ArrowDown" ? 1 : candidates.length - 1)) % candidates.length);
        return true;
      case "Enter":
      case "Tab":
        mention(candidates[Math.min(chosen, candidates.length - 1)]!);
        return true;
      case "Escape":
        event.stopPropagation();
        setDismissed(true);
        return true;
      default:
        return false;
    }
  }

  function onPaste(event: ClipboardEvent): void {
    const pasted = [...event.clipboardData.files];
    if (pasted.length > 0) {
      event.preventDefault();
      setNote(uploads.add(pasted));
    }
  }

  return (
    <form
      className={isDropping ? "composer composer-dropping" : "composer"}
      aria-label="New message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="composer-note" role="status">
        {closed ?? note}
      </p>
      <UploadChips all={all} uploads={uploads} />
      <div className="composer-field">
        {candidates.length > 0 && (
          <Suggestions id={suggestionsId} candidates={candidates} chosen={chosen} onChoose={mention} />
        )}
        <textarea
          ref={field}
          aria-label="Message"
          autoFocus={isFirst}
          className="composer-text"
          rows={1}
          dir="auto"
          enterKeyHint="send"
          placeholder="Write a message"
          disabled={closed !== undefined}
          role={candidates.length > 0 ? "combobox" : undefined}
          aria-expanded={candidates.length > 0 ? true : undefined}
          aria-controls={candidates.length > 0 ? suggestionsId : undefined}
          aria-activedescendant={candidates.length > 0 ? `${suggestionsId}-${chosen}` : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setCaret(event.target.selectionStart);
            setChosen(0);
            setDismissed(false);
            // Who goes on writing has not finished.
            setIsWaiting(false);
            setNote(undefined);
            onTyping();
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className="composer-tools">
          <Button
            look="ghost"
            icon
            aria-label="Add images"
            title="Add images (or paste or drop them)"
            disabled={closed !== undefined}
            onClick={() => files.current?.click()}
          >
            <Icon name="image" />
          </Button>
          <input
            ref={files}
            className="unseen"
            type="file"
            aria-label="Images"
            tabIndex={-1}
            accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
            multiple
            onChange={(event) => {
              setNote(uploads.add([...(event.target.files ?? [])]));
              event.target.value = "";
            }}
          />
          <AgentChoice agents={agents} chosen={agentId} onChoose={setAgentId} />
          <span className="composer-hint quiet small">Enter sends, Shift and Enter starts a new line</span>
          <Button type="submit" look="primary" disabled={closed !== undefined}>
            Send
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Makes the field as high as its text where the browser does not do so by itself. */
function fit(field: HTMLTextAreaElement | null): void {
  if (field !== null && !CSS.supports("field-sizing", "content")) {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }
}
