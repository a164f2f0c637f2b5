import type { ParticipationMode, ThreadView } from "@parley/client";
import { useState, type FormEvent } from "react";
import { useParley } from "../connection/context";
import { useThreadStore } from "../threads/context";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { Dialog } from "../ui/Dialog";
import { Failure } from "../ui/Failure";
import { Field } from "../ui/Field";
import { People } from "./People";
import { goTo, HOME_ADDRESS } from "./route";

/** What can be changed about a conversation: its title, who is in it, when agents answer, and whether it goes on. */
export function ThreadSettings({ thread, onClose }: { thread: ThreadView; onClose: () => void }) {
  const parley = useParley();
  const store = useThreadStore();
  const [title, setTitle] = useState(thread.title ?? "");
  const [failure, setFailure] = useState<unknown>();
  const [isDeleting, setIsDeleting] = useState(false);
  const client = parley.thread(thread.thread_id);

  async function change(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      setFailure(undefined);
      store.put(await client.get());
    } catch (error) {
      setFailure(error);
    }
  }

  function rename(event: FormEvent): void {
    event.preventDefault();
    void change(() => client.rename(title));
  }

  async function remove(): Promise<void> {
    try {
      await client.delete();
      store.forget(thread.thread_id);
      goTo(HOME_ADDRESS);
    } catch (error) {
      setFailure(error);
    }
  }

  if (isDeleting) {
    return (
      <Confirm title="Delete this conversation?" action="Delete" onConfirm={() => void remove()} onClose={() => setIsDeleting(false)}>
        Nobody will be able to read it any more. This cannot be undone.
      </Confirm>
    );
  }
  return (
    <Dialog title="Conversation" onClose={onClose}>
      {failure !== undefined && <Failure error={failure} />}
      <form onSubmit={rename} className="people-add">
        <Field label="Title">
          {(control) => <input {...control} dir="auto" required value={title} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
        <Button type="submit">Rename</Button>
      </form>
      <Field label="Agents answer">
        {(control) => (
          <select
            {...control}
            value={thread.participation_mode}
            onChange={(event) => {
              const mode = event.target.value as ParticipationMode;
              void change(() => client.participants.setMode(mode));
            }}
          >
            <option value="open">Whatever people say</option>
            <option value="invocation_only">Only when they are mentioned</option>
          </select>
        )}
      </Field>
      <People thread={thread} onChange={change} />
      <div className="dialog-actions">
        <Button look="danger" onClick={() => setIsDeleting(true)}>
          Delete
        </Button>
        <Button onClick={() => void change(() => client.archive(!thread.is_archived))}>
          {thread.is_archived ? "Take out of the archive" : "Archive"}
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
