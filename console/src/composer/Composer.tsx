import { extractMentionedIds, type Participant } from "@parley/client";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ClipboardEvent, type KeyboardEvent } from "react";
import { useMe, useParley } from "../connection/context";
import { Button } from "../ui/Button";
import { AddImages } from "./AddImages";
import { AgentChoice, type AgentOption } from "./AgentChoice";
import type { SentImage } from "./outbox";
import { UploadChips } from "./UploadChips";
import { openDraft } from "./uploads";
import { useDrops } from "./useDrops";
import { useMentions } from "./useMentions";
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
export function Composer(props: ComposerProps) {
  const { threadId, draftId = threadId, participants, agents, offer, isFirst = false, closed, onSend, onTyping } = props;
  const parley = useParley();
  const me = useMe();
  const field = useRef<HTMLTextAreaElement>(null);
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
  const mentions = useMentions(field, text, setText, participants, me.sender_id);

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

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // While an input method composes a character, the keys belong to it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) {
      return;
    }
    if (mentions.takesKey(event)) {
      event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
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
        {mentions.suggestions}
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
          {...mentions.attributes}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            mentions.wrote(event.target.selectionStart);
            // Who goes on writing has not finished.
            setIsWaiting(false);
            setNote(undefined);
            onTyping();
          }}
          onSelect={(event) => mentions.moved(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className="composer-tools">
          <AddImages disabled={closed !== undefined} onFiles={(chosen) => setNote(uploads.add(chosen))} />
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
