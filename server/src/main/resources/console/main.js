/** Starts the console: who is calling, which conversation is open, and how the parts tell each other. */
import { call, keepToken, session, token } from "./api.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { byId, say } from "./dom.js";
import { forgetAddresses, prepareViewer } from "./image.js";
import { Outbox } from "./outbox.js";
import { Threads } from "./threads.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const FRESH = "parley.fresh";

const outbox = new Outbox({
  onSent: (item) => {
    if (item.thread === conversation.thread) {
      composer.refuse(undefined);
    }
    conversation.sent(item);
    threads.refresh(item.thread);
  },
  onRefused: (item, problem) => {
    conversation.refused(item);
    if (item.thread === conversation.thread) {
      composer.offer(item.text, item.images);
      composer.refuse(`Not sent: ${problem.message}`);
    }
  },
  onTrouble: (item) => {
    if (item.thread === conversation.thread) {
      composer.refuse("The server cannot be reached. Your message will be sent as soon as it can.");
    }
  },
});
const threads = new Threads();
const composer = new Composer((text, images) => send(text, { images }));
const conversation = new Conversation({
  outbox,
  onSample: (text) => send(text),
  onRead: (thread) => threads.refresh(thread),
  onDecision: (interrupts, approved) =>
    send(
      approved ? "Approve" : "Decline",
      { resume: interrupts.map((each) => ({ interruptId: each.id, status: "resolved", payload: { approved } })) },
    ),
});

function send(text, more = {}) {
  const { thread } = conversation;
  if (thread === undefined) {
    return;
  }
  if (sessionStorage.getItem(FRESH) === thread) {
    sessionStorage.removeItem(FRESH);
  }
  conversation.showPending(outbox.send(thread, text, more));
}

/** The id of the conversation that was begun and has no message yet. */
function fresh() {
  const id = sessionStorage.getItem(FRESH) ?? crypto.randomUUID();
  sessionStorage.setItem(FRESH, id);
  return id;
}

const narrow = matchMedia("(max-width: 720px)");

/** Opens what the address names; without one, a new conversation where there is room for it beside the list. */
function route() {
  const named = location.hash.slice(1).toLowerCase();
  if (!UUID.test(named) && !narrow.matches) {
    history.replaceState(null, "", `#${fresh()}`);
    route();
    return;
  }
  const id = UUID.test(named) ? named : undefined;
  document.body.dataset.view = id ? "thread" : "list";
  threads.select(id);
  if (id === undefined) {
    conversation.close();
    byId("new").focus();
  } else if (id !== conversation.thread) {
    composer.open(id);
    conversation.open(id, sessionStorage.getItem(FRESH) === id);
    if (!narrow.matches) {
      // On a phone it would bring up the keyboard and hide what is to be read.
      composer.focus();
    }
  }
}

async function start() {
  let me;
  try {
    me = await call("GET", "auth/me");
  } catch (problem) {
    if (problem.status !== 401) {
      say(byId("connection"), "The server cannot be reached. Reload to try again.");
    }
    return;
  }
  byId("sign-in").close();
  byId("me").textContent = me.display_name;
  byId("sign-out").hidden = !token();
  conversation.close();
  conversation.setCaller(me);
  threads.start();
  outbox.resume();
  route();
}

function signOut() {
  keepToken(undefined);
  Composer.forgetDrafts();
  forgetAddresses();
  outbox.clear();
  sessionStorage.removeItem(FRESH);
  threads.stop();
  conversation.close();
  location.replace(location.pathname + location.search);
}

session.addEventListener("signed-out", () => {
  const dialog = byId("sign-in");
  threads.stop();
  conversation.close();
  if (token()) {
    keepToken(undefined);
    say(byId("sign-in-refusal"), "The server does not accept this token, or no longer.");
  }
  if (!dialog.open) {
    dialog.showModal();
  }
  byId("token").focus();
});

byId("sign-in").addEventListener("cancel", (event) => event.preventDefault());
byId("sign-in-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = byId("token").value.trim();
  byId("token").value = "";
  say(byId("sign-in-refusal"), "");
  keepToken(given);
  start();
});
byId("sign-out").addEventListener("click", signOut);
byId("new").addEventListener("click", () => {
  location.hash = fresh();
  composer.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing && !document.querySelector("dialog[open]") && conversation.stop()) {
    event.preventDefault();
  }
});
prepareViewer();
addEventListener("hashchange", route);
narrow.addEventListener("change", route);

start();
