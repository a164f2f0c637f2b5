import type { Parley } from "@parley/client";
import { PAGE } from "../connection/address";

/** An image in the server's store. */
export interface StoredImage {
  bucket: string;
  path: string;
}

const SIGNED = "/storage/v1/object/sign/";
/** A little less than an address is good for. */
const GOOD_MS = 50 * 60_000;
const MOST_KNOWN = 500;
/** The addresses that the server gave, the oldest first. */
const addresses = new Map<string, { url: string; until: number }>();

const nameOf = ({ bucket, path }: StoredImage): string => `${bucket}/${path}`;

/** Notes the address that the server gave of an image. */
export function rememberAddress(image: StoredImage, url: string): void {
  addresses.delete(nameOf(image));
  addresses.set(nameOf(image), { url, until: Date.now() + GOOD_MS });
  if (addresses.size > MOST_KNOWN) {
    addresses.delete(addresses.keys().next().value!);
  }
}

/** The address of an image as the server gives it; a fresh one if the known one has expired, or is said to be bad. */
export async function addressOf(parley: Parley, image: StoredImage, isFresh = false): Promise<string> {
  const known = addresses.get(nameOf(image));
  if (!isFresh && known !== undefined && known.until > Date.now()) {
    return known.url;
  }
  const { url } = await parley.attachments.signedUrl(image.bucket, image.path);
  rememberAddress(image, url);
  return url;
}

/** The same address at this page's own server: it has other names too, but this page loads nothing from elsewhere. */
export function fromHere(url: string): string | undefined {
  const at = url.indexOf(SIGNED);
  return at < 0 ? undefined : new URL(url.slice(at + 1), PAGE).href;
}
