/**
 * Images on the page. Each has its room before it is loaded, so nothing moves when it comes; its address is asked for when
 * the reader comes near, since addresses expire. It is always read from the server that this page is from.
 */
import { call, persist } from "./api.js";
import { byId, make } from "./dom.js";

const SIGNED = "/storage/v1/object/sign/";
const MOST_PX = 320;
/** Several stand side by side. */
const MOST_OF_SEVERAL_PX = 200;
const LEAST_PX = 48;
const NEAR = "400px";
/** A little less than an address is good for. */
const GOOD_MS = 50 * 60_000;

const addresses = new Map();

const nameOf = ({ bucket, path }) => `${bucket}/${path}`;

/** Notes an address that the server gave of an image. */
export function remember(image, url) {
  addresses.set(nameOf(image), { url, until: Date.now() + GOOD_MS });
}

/** The address of an image as the server gives it, a fresh one if it has to be. */
export async function addressOf(image, isFresh = false) {
  const known = addresses.get(nameOf(image));
  if (!isFresh && known && known.until > Date.now()) {
    return known.url;
  }
  const query = new URLSearchParams({ bucket: image.bucket, path: image.path });
  const { url } = await call("GET", `agent/attachments/signed-url?${query}`);
  remember(image, url);
  return url;
}

export function forgetAddresses() {
  addresses.clear();
}

/** The same address here: a server has other names too, but this page loads nothing from elsewhere. */
function here(url) {
  const at = url.indexOf(SIGNED);
  return at < 0 ? undefined : new URL(url.slice(at + 1), location.origin + location.pathname).href;
}

const nearing = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) {
        nearing.unobserve(target);
        target.load();
      }
    }
  },
  { rootMargin: NEAR },
);

/** An img that finds its address itself, and asks for another one once if that has expired. */
export function loaded(image, attributes, onFailure = () => {}) {
  const element = make("img", {
    alt: image.filename ?? "Image",
    loading: "lazy",
    decoding: "async",
    referrerpolicy: "no-referrer",
    ...attributes,
  });
  let isRetried = false;
  const load = async (isFresh) => {
    const url = await persist(() => addressOf(image, isFresh)).then(here, () => undefined);
    if (url === undefined) {
      onFailure();
    } else {
      element.src = url;
    }
  };
  element.addEventListener("error", () => {
    if (isRetried) {
      onFailure();
    } else {
      isRetried = true;
      load(true);
    }
  });
  element.load = () => load(false);
  nearing.observe(element);
  return element;
}

/** The images of one message, each to be opened in full. */
export function pictures(images) {
  return images.map((image) => picture(image, images.length > 1 ? MOST_OF_SEVERAL_PX : MOST_PX));
}

function picture(image, most) {
  const name = image.filename ?? "Image";
  const button = make("button", { type: "button", class: "picture", "aria-label": `Open ${name}`, title: name });
  button.append(
    loaded(image, {}, () => button.replaceChildren(make("span", { class: "hint" }, `${name} cannot be shown.`))),
  );
  reserve(button, image, most);
  button.addEventListener("click", () => view(image));
  return button;
}

/** Gives an element the size that the image will have. */
function reserve(element, { width, height }, most) {
  if (width > 0 && height > 0) {
    const scale = Math.min(1, most / width, most / height);
    element.style.width = `${Math.max(LEAST_PX, Math.round(width * scale))}px`;
    element.style.aspectRatio = `${width} / ${height}`;
  }
}

/** Shows an image as large as the window allows, until Escape, a click beside it, or the button. */
function view(image) {
  const dialog = byId("viewer");
  const shown = loaded(image, { loading: "eager", class: "whole" }, () => {
    shown.replaceWith(make("p", {}, "The image cannot be shown."));
  });
  if (image.width > 0 && image.height > 0) {
    shown.width = image.width;
    shown.height = image.height;
  }
  byId("viewer-image").replaceChildren(shown);
  byId("viewer-name").textContent = image.filename ?? "Image";
  dialog.showModal();
}

/** Makes the view close; once, when the page starts. */
export function prepareViewer() {
  const dialog = byId("viewer");
  byId("viewer-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target === byId("viewer-image")) {
      dialog.close();
    }
  });
  dialog.addEventListener("close", () => byId("viewer-image").replaceChildren());
}

/** The images of a committed message. What a client says of itself is not believed: the server's own mark is there too. */
export function imagesOf({ metadata, deleted }) {
  if (deleted || typeof metadata.user_message_attachments !== "object" || !Array.isArray(metadata.attachments)) {
    return [];
  }
  return metadata.attachments
    .filter((each) => typeof each?.bucket === "string" && typeof each.path === "string")
    .filter(({ mime_type: type }) => typeof type !== "string" || type.startsWith("image/"))
    .map(({ bucket, path, filename, width, height }) => ({
      bucket,
      path,
      filename: typeof filename === "string" ? filename : undefined,
      width: Number.isInteger(width) ? width : undefined,
      height: Number.isInteger(height) ? height : undefined,
    }));
}

export const isSame = (one, other) => nameOf(one) === nameOf(other);
