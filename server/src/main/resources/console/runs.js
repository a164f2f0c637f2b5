/** Where the runs of a thread stand: who is answering, how to stop it, and how the ones ended that did not end well. */
import { call } from "./api.js";
import { byId, make } from "./dom.js";

const OVER = new Set(["completed", "failed", "cancelled"]);

/** A line among the messages about a run. */
class Notice {
  constructor(run, order, kind, ...content) {
    this.id = `run:${run}`;
    this.run = run;
    this.order = order;
    this.element = make("li", { class: `notice ${kind}` }, ...content);
    this.element.view = this;
  }

  get isCommitted() {
    return true;
  }

  follow() {}
}

export class Runs {
  #thread;
  #log;
  #nameOf;
  #onDecision;
  #open = new Map();
  #over = new Map();
  #agents = new Map();
  #newest;
  #cursor;
  #oldest;

  /**
   * @param nameOf the name of a sender
   * @param onDecision called with the interrupts of a run and whether they were approved
   */
  constructor(log, { nameOf, onDecision }) {
    this.#log = log;
    this.#nameOf = nameOf;
    this.#onDecision = onDecision;
    byId("stop").addEventListener("click", () => this.stop());
  }

  clear(thread) {
    this.#thread = thread;
    this.#open.clear();
    this.#over.clear();
    this.#agents.clear();
    this.#newest = undefined;
    this.#cursor = undefined;
    this.#oldest = undefined;
    this.#show();
  }

  agentOf(run) {
    return this.#agents.get(run);
  }

  /** The stage that a run, or a member of its team, is in. */
  stageOf(run, member) {
    return this.#open.get(run)?.stages.get(member ?? "");
  }

  /** Reads runs from the latest on, as far back as the messages go. */
  async load(since) {
    while (this.#oldest === undefined || (this.#cursor && this.#oldest >= Date.parse(since))) {
      const cursor = this.#cursor ? `&cursor=${encodeURIComponent(this.#cursor)}` : "";
      const page = await call("GET", `agent/threads/${this.#thread}/runs?limit=50${cursor}`);
      page.runs.filter((run) => run.rootRunId === null).forEach((run) => this.#note(run));
      this.#cursor = page.nextCursor;
      this.#oldest = Date.parse(page.runs.at(-1)?.created ?? since);
    }
  }

  #note(run) {
    this.#newest ??= run.runId;
    this.#agents.set(run.runId, run.agent);
    if (run.ended === null) {
      this.#open.set(run.runId, this.#open.get(run.runId) ?? { state: run.state, stages: new Map() });
    } else {
      this.#open.delete(run.runId);
      this.#over.set(run.runId, run);
    }
    this.#show();
  }

  /** @param state queued, running or waiting; a run that is over stays so */
  begin(run, state) {
    if (!this.#over.has(run)) {
      const known = this.#open.get(run);
      if (known === undefined) {
        this.#makeNewest(run);
      }
      this.#open.set(run, { stages: known?.stages ?? new Map(), state });
      this.#show();
    }
  }

  /** Questions of earlier runs are not to be answered here any more. */
  #makeNewest(run) {
    this.#newest = run;
    document.querySelectorAll("#messages .question .buttons").forEach((buttons) => buttons.remove());
  }

  enter(run, stage, member) {
    this.#open.get(run)?.stages.set(member ?? "", stage);
    this.#show();
  }

  leave(run, member) {
    this.#open.get(run)?.stages.delete(member ?? "");
    this.#show();
  }

  /** Takes what the thread says of a run; how one ended is told by the run itself, unless it never began. */
  update({ run_id: run, agent, state }) {
    this.#agents.set(run, agent);
    if (state === "queued") {
      this.begin(run, state);
    } else if (OVER.has(state) && this.#open.has(run)) {
      this.end(run, state);
    }
    this.#show();
  }

  /** @param outcome of a run that finished, @param error of one that failed */
  end(run, state, { outcome, error } = {}) {
    this.#open.delete(run);
    this.#over.set(run, { state, outcome, error });
    this.#show();
    this.placeNotice(run);
  }

  /** Puts the notices that are due; those of runs whose messages are not on the page yet wait for them. */
  placeNotices() {
    this.#over.forEach((_, run) => this.placeNotice(run));
  }

  placeNotice(run) {
    const { state, outcome, error } = this.#over.get(run);
    const anchor = this.#anchor(run);
    if (anchor === undefined || this.#log.find(`run:${run}`)) {
      return;
    }
    const order = anchor + 0.5;
    if (error && state === "failed") {
      const code = error.code ? make("span", { class: "label" }, error.code) : undefined;
      this.#log.place(new Notice(run, order, "failed", make("span", { dir: "auto" }, error.message), code));
    } else if (state === "cancelled") {
      this.#log.place(new Notice(run, order, "stopped", "Stopped"));
    } else if (outcome?.type === "interrupt") {
      this.#log.place(new Notice(run, order, "question", ...this.#question(run, outcome.interrupts)));
    }
  }

  /** The seq behind which a notice belongs: that of the run's last message, else of the one that it should answer. */
  #anchor(run) {
    const { triggers } = this.#over.get(run);
    const last = this.#log.of(run).findLast((view) => Number.isInteger(view.order))?.order;
    return last ?? (triggers ? triggers.findLast((seq) => seq >= this.#log.first) : this.#log.last);
  }

  #question(run, interrupts) {
    const buttons = make("span", { class: "buttons" });
    const decide = (approved) => {
      buttons.remove();
      this.#onDecision(interrupts, approved);
    };
    for (const [title, approved] of [["Approve", true], ["Decline", false]]) {
      const button = make("button", { type: "button" }, title);
      button.addEventListener("click", () => decide(approved));
      buttons.append(button);
    }
    const asked = interrupts.map((each) => make("span", { dir: "auto" }, each.message ?? each.reason));
    return run === this.#newest ? [...asked, buttons] : asked;
  }

  /** The run to be stopped: the one that is being answered, else the next one. */
  #current() {
    const runs = [...this.#open.entries()];
    return runs.find(([, run]) => run.state === "running") ?? runs[0];
  }

  /** Cancels the run that is going on; whether there was one. */
  stop() {
    const current = this.#current();
    if (current === undefined) {
      return false;
    }
    const [run] = current;
    byId("stop").disabled = true;
    call("POST", `agent/threads/${this.#thread}/runs/${encodeURIComponent(run)}/cancel`)
      // The stream tells how it ended; if the call was lost, it can be tried again.
      .catch(() => {})
      .finally(() => {
        byId("stop").disabled = false;
      });
    return true;
  }

  #show() {
    const current = this.#current();
    byId("stop").hidden = current === undefined;
    const activity = byId("activity");
    if (current === undefined) {
      activity.replaceChildren();
      return;
    }
    const [run, { state, stages }] = current;
    const name = this.#agents.has(run) ? this.#nameOf(this.#agents.get(run)) : "The agent";
    const shown = state === "queued" ? `${name} will answer` : `${name} is answering`;
    if (activity.firstChild?.textContent !== shown) {
      activity.replaceChildren(make("span", { dir: "auto" }, shown), make("span", { "aria-hidden": "true" }));
    }
    const labels = [...new Set(stages.values())].map((stage) => make("span", { class: "label" }, stage.replaceAll("_", " ")));
    activity.lastChild.replaceChildren(...labels);
  }
}

/** A stage's name as words; the usual one, in which answers are made, goes without saying. */
export const stageLabel = (stage) => (stage === "execution" ? undefined : stage?.replaceAll("_", " "));
