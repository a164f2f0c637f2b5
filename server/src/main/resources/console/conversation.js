/**
 * One conversation: what was said, and what is being said right now. The stream is opened first and held back until the
 * messages are read; so whatever happens in between is told, and since messages are known by their ids, none is shown
 * twice.
 */
import { call } from "./api.js";
import { Cards } from "./cards.js";
import { byId, make, oncePerFrame, say } from "./dom.js";
import { Live } from "./live.js";
import { Log } from "./log.js";
import { MessageView, fromChat, fromEvent } from "./message.js";
import { Reading } from "./reading.js";
import { Runs, stageLabel } from "./runs.js";
import { follow } from "./stream.js";

const PAGE = 50;
const STREAM_MS = 3_000;
const RETRY_MS = 2_000;
const SAMPLES = ["Hello!", "weather in Oslo", "/card A card", "/think about rain", "/slow 40", "/help"];

export class Conversation {
  #me;
  #thread;
  #names = new Map();
  #log = new Log({ onTop: () => this.#loadOlder(), onEnd: () => this.#reading.note() });
  #cards = new Cards(this.#log);
  #live = new Live(this.#log, (view, event) => this.#signLive(view, event));
  #runs;
  #outbox;
  #reading;
  #stream;
  #visit = 0;
  #events = [];
  #isLoaded = false;
  #hasOlder = false;
  #isLoadingOlder = false;
  #apply = oncePerFrame(() => this.#applyEvents());

  /**
   * @param onSample called with a text that a newcomer wants to try
   * @param onRead called with the thread when its messages have been read
   * @param onDecision called with what an agent asked and whether it was approved
   */
  constructor({ outbox, onSample, onRead, onDecision }) {
    this.#outbox = outbox;
    this.#reading = new Reading({ seen: () => (this.#isLoaded && this.#log.isAtEnd ? this.#log.last : 0), onRead });
    this.#runs = new Runs(this.#log, { nameOf: (sender) => this.#nameOf(sender), onDecision });
    for (const sample of SAMPLES) {
      const button = make("button", { type: "button", class: "quiet" }, sample);
      button.addEventListener("click", () => onSample(sample));
      byId("samples").append(make("li", {}, button));
    }
  }

  /** Cancels what is being answered; whether there was something. */
  stop() {
    return this.#runs.stop();
  }

  setCaller(me) {
    this.#me = me;
  }

  get thread() {
    return this.#thread;
  }

  close() {
    this.#visit++;
    this.#stream?.close();
    this.#reading.close();
    this.#thread = undefined;
    this.#isLoaded = false;
    this.#events = [];
    this.#names.clear();
    this.#log.clear();
    this.#live.clear();
    this.#cards.open(undefined);
    this.#runs.clear();
    say(byId("connection"), "");
  }

  /** @param isNew whether nothing was said in it yet, so that the server does not know it */
  open(thread, isNew) {
    this.close();
    this.#thread = thread;
    this.#runs.clear(thread);
    this.#cards.open(thread);
    this.#setTitle("");
    byId("welcome").hidden = true;
    this.#outbox.of(thread).forEach((item) => this.showPending(item));
    if (isNew) {
      this.#beNew();
    } else {
      this.#load();
    }
  }

  /** Reads the whole conversation anew; of one that does not exist yet, there is nothing to read. */
  async #load() {
    const visit = ++this.#visit;
    const isCurrent = () => visit === this.#visit;
    this.#stream?.close();
    this.#isLoaded = false;
    this.#events = [];
    const opened = new Promise((resolve) => {
      this.#stream = follow(`agent/runs/${this.#thread}/events`, {
        onOpen: () => {
          say(byId("connection"), "");
          resolve("opened");
        },
        onLost: () => say(byId("connection"), "Reconnecting…"),
        onRefused: () => resolve("refused"),
        onEvent: (_, event) => {
          if (isCurrent()) {
            this.#events.push(event);
            this.#apply();
          }
        },
      });
    });
    const first = await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, STREAM_MS, "late"))]);
    if (!isCurrent()) {
      return;
    }
    if (first === "refused") {
      this.#beNew();
      return;
    }
    try {
      await this.#readLatest(isCurrent);
    } catch (problem) {
      if (isCurrent()) {
        this.#fail(problem);
      }
      return;
    }
    if (first === "late") {
      opened.then(() => isCurrent() && this.#readLatest(isCurrent).catch(() => {}));
    }
  }

  #beNew() {
    this.#setTitle("New conversation");
    byId("welcome").hidden = this.#outbox.of(this.#thread).length > 0;
  }

  #fail(problem) {
    if (problem.status === 404) {
      this.#beNew();
    } else {
      say(byId("connection"), "Could not be loaded");
    }
  }

  async #readLatest(isCurrent) {
    const [thread, page] = await Promise.all([
      call("GET", `chat/threads/${this.#thread}`),
      call("GET", `chat/threads/${this.#thread}/messages?limit=${PAGE}`),
    ]);
    if (!isCurrent()) {
      return;
    }
    this.#take(thread);
    byId("welcome").hidden = page.messages.length > 0;
    page.messages.forEach((message) => this.#put(fromChat(message)));
    this.#hasOlder = page.has_more;
    this.#log.toEnd();
    await this.#runs.load(page.messages[0]?.created_at ?? "");
    if (!isCurrent()) {
      return;
    }
    this.#runs.placeNotices();
    this.#isLoaded = true;
    this.#applyEvents();
    this.#log.settle();
    this.#reading.note();
    this.#loadOlder();
  }

  #take(thread) {
    this.#setTitle(thread.title || "Untitled");
    for (const participant of thread.participants) {
      this.#names.set(participant.sender_id, participant.display_name);
      if (participant.sender_id === this.#me.sender_id) {
        this.#reading.open(this.#thread, participant.last_read_seq);
      }
    }
  }

  #setTitle(title) {
    byId("title").textContent = title;
    document.title = title ? `${title} · Parley` : "Parley";
  }

  #nameOf(sender) {
    if (this.#names.has(sender)) {
      return this.#names.get(sender);
    }
    return sender === this.#me.sender_id ? this.#me.display_name : (sender?.split(":")[0] ?? "agent");
  }

  /** Reads what comes before, as long as the reader is near the beginning of what is there. */
  async #loadOlder() {
    const before = this.#log.first;
    if (!this.#isLoaded || !this.#hasOlder || this.#isLoadingOlder || !this.#log.isNearTop || before === undefined) {
      return;
    }
    this.#isLoadingOlder = true;
    const visit = this.#visit;
    try {
      const page = await call(
        "GET",
        `chat/threads/${this.#thread}/messages?before_seq=${before}&limit=${PAGE}`,
      );
      if (page.messages.length > 0) {
        await this.#runs.load(page.messages[0].created_at);
      }
      if (visit === this.#visit) {
        this.#hasOlder = page.has_more;
        this.#log.keepPlace(() => {
          page.messages.forEach((message) => this.#put(fromChat(message)));
          this.#runs.placeNotices();
        });
      }
      this.#isLoadingOlder = false;
      this.#loadOlder();
    } catch {
      this.#isLoadingOlder = false;
      setTimeout(() => this.#loadOlder(), RETRY_MS);
    }
  }

  /** Shows a committed message: a new one, or in the place of what was growing or on its way. */
  #put(message) {
    const streamed = message.metadata.message_id;
    const growing = streamed ? this.#log.find(streamed) : undefined;
    let view = this.#log.find(message.id);
    if (view === undefined && growing !== undefined && !growing.isCommitted) {
      this.#log.rename(growing, message.id);
      view = growing;
    }
    view ??= new MessageView({ id: message.id, role: message.role, run: message.metadata.run_id });
    view.show(message);
    view.sign({
      sender: message.sender,
      name: view.member ?? message.metadata.agent_name ?? this.#nameOf(message.sender),
      mine: message.sender === this.#me.sender_id,
      at: message.at,
      label: stageLabel(message.metadata.stage),
    });
    this.#log.place(view);
    if (streamed) {
      this.#log.alias(streamed, view);
    }
    this.#live.committed(message);
    this.#cards.want(message, view);
    return view;
  }

  /** Shows what was sent and not committed yet. */
  showPending(item) {
    if (item.thread !== this.#thread || this.#log.find(item.message)) {
      return;
    }
    byId("welcome").hidden = true;
    const view = new MessageView({ id: item.message, role: "user", run: item.run });
    view.element.classList.add("pending");
    view.sign({ sender: this.#me.sender_id, name: this.#me.display_name, mine: true });
    view.showImages(item.images ?? []);
    if (item.text) {
      view.setText(item.text);
    }
    this.#log.place(view);
    this.#log.toEnd();
  }

  /** It arrived: the conversation exists now, if it did not before. */
  sent(item) {
    if (item.thread === this.#thread) {
      this.#runs.begin(item.run, "queued");
      if (!this.#isLoaded) {
        this.#load();
      }
    }
  }

  /** It was refused: it is not part of the conversation. */
  refused(item) {
    const view = item.thread === this.#thread ? this.#log.find(item.message) : undefined;
    if (view && !view.isCommitted) {
      this.#log.remove(view);
    }
    if (item.thread === this.#thread && !this.#isLoaded) {
      this.#beNew();
    }
  }

  #signLive(view, event) {
    const run = event.metadata?.runId;
    const sender = this.#runs.agentOf(run) ?? [...this.#names.keys()].find((each) => each.startsWith("agent:"));
    view.member = this.#live.memberName(event.subagentRunId);
    view.sign({
      sender,
      name: view.member ?? this.#nameOf(sender),
      mine: false,
      label: stageLabel(this.#runs.stageOf(run, event.subagentRunId)),
    });
  }

  #applyEvents() {
    if (!this.#isLoaded) {
      return;
    }
    const events = this.#events;
    this.#events = [];
    const visit = this.#visit;
    for (const event of events) {
      this.#follow(event);
      if (visit !== this.#visit) {
        return;
      }
    }
    this.#log.settle();
  }

  #follow(event) {
    const run = event.metadata?.runId;
    switch (event.type) {
      case "RUN_STARTED":
        this.#runs.begin(run, "running");
        break;
      case "STEP_STARTED":
        this.#runs.enter(run, event.stepName, event.subagentRunId);
        break;
      case "STEP_FINISHED":
        this.#runs.leave(run, event.subagentRunId);
        break;
      case "RUN_FINISHED":
        this.#end(run, event.outcome?.type === "cancelled" ? "cancelled" : "completed", { outcome: event.outcome });
        break;
      case "RUN_ERROR":
        this.#end(run, event.code === "cancelled" ? "cancelled" : "failed", { error: event });
        break;
      case "CUSTOM":
        this.#followThread(event);
        break;
      default:
        this.#live.apply(event);
    }
  }

  #end(run, state, how) {
    this.#live.end(run);
    this.#runs.end(run, state, how);
  }

  #followThread({ name, value, metadata }) {
    switch (name) {
      case "message_committed":
        this.#committed(fromEvent(value));
        if (metadata?.truncated) {
          this.#reread(value.seq);
        }
        break;
      case "message_revised":
        this.#reread(value.targetSeq);
        break;
      case "thread_updated":
        this.#rereadThread();
        break;
      case "run_updated":
        this.#runs.update(value);
        break;
      case "resync":
        this.open(this.#thread);
        break;
    }
  }

  #committed(message) {
    const view = this.#put(message);
    if (!view.element.classList.contains("mine") && message.role === "assistant" && message.content) {
      byId("announcer").textContent = `${this.#nameOf(message.sender)}: ${message.content.slice(0, 500)}`;
    }
    if (!this.#names.has(message.sender)) {
      this.#names.set(message.sender, this.#nameOf(message.sender));
      this.#rereadThread().then(() => this.#reread(message.seq));
    }
    this.#reading.note();
  }

  /** Reads a message again, as it stands after its revisions. */
  async #reread(seq) {
    const visit = this.#visit;
    const path = `chat/threads/${this.#thread}/messages?after_seq=${seq - 1}&limit=1`;
    const page = await call("GET", path).catch(() => undefined);
    const message = page?.messages[0];
    if (visit === this.#visit && message?.thread_seq === seq && this.#log.find(message.id)) {
      this.#put(fromChat(message));
      this.#log.settle();
    }
  }

  async #rereadThread() {
    const visit = this.#visit;
    const thread = await call("GET", `chat/threads/${this.#thread}`).catch(() => undefined);
    if (thread && visit === this.#visit) {
      this.#take(thread);
    }
  }
}
