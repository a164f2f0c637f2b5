/** Small ways to make and find elements. Whatever is put into one is text, never markup. */

export const byId = (id) => document.getElementById(id);

/** Makes an element; attributes that are false or missing are left out, children that are missing too. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

/** Shows a text in an element that is hidden while it has none. */
export function say(element, text) {
  element.textContent = text ?? "";
  element.hidden = !text;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** The time of day for today, else the date with what `withClock` asks for. */
export function time(instant, withClock) {
  const date = new Date(instant);
  const today = date.toDateString() === new Date().toDateString();
  const shown = today ? CLOCK.format(date) : DAY.format(date) + (withClock ? ", " + CLOCK.format(date) : "");
  return make("time", { datetime: date.toISOString(), title: WHOLE.format(date) }, shown);
}

/** Runs a task once with the next picture, however often it is asked for; in a tab nobody sees, a little later. */
export function oncePerFrame(task) {
  let waiting = false;
  const run = () => {
    waiting = false;
    task();
  };
  return () => {
    if (!waiting) {
      waiting = true;
      if (document.hidden) {
        setTimeout(run, 200);
      } else {
        requestAnimationFrame(run);
      }
    }
  };
}
