import { useEffect, useState } from "react";
import type { Parley } from "@parley/client";
import { useParley } from "../connection/context";
import { nameOf, type Picture } from "./Pictures";

const SIGNED = "/storage/v1/object/sign/";
/** A little less than an address is good for. */
const GOOD_MS = 50 * 60_000;

/** Addresses that the server gave, by whom it gave them to; they expire. */
const addresses = new WeakMap<Parley, Map<string, { url: string; until: number }>>();

async function addressOf(parley: Parley, { bucket, path }: Picture, isFresh: boolean): Promise<string> {
  const known = addresses.get(parley) ?? new Map<string, { url: string; until: number }>();
  addresses.set(parley, known);
  const found = known.get(`${bucket}/${path}`);
  if (!isFresh && found !== undefined && found.until > Date.now()) {
    return found.url;
  }
  const { url } = await parley.attachments.signedUrl(bucket, path);
  known.set(`${bucket}/${path}`, { url, until: Date.now() + GOOD_MS });
  return url;
}

/** The same address here: a server has other names too, but this page loads nothing from elsewhere. */
export function addressHere(url: string, page: string): string | undefined {
  const at = url.indexOf(SIGNED);
  return at < 0 ? undefined : new URL(url.slice(at + 1), page).href;
}

/** An image that finds its address itself, and asks for another one once if that has expired. */
export function StoredImage({ image }: { image: Picture }) {
  const parley = useParley();
  const [tries, setTries] = useState(0);
  const [address, setAddress] = useState<string>();
  const { bucket, path } = image;
  useEffect(() => {
    let isGone = false;
    const page = location.origin + location.pathname;
    addressOf(parley, { bucket, path }, tries > 0).then(
      (url) => isGone || setAddress(addressHere(url, page)),
      () => isGone || setTries(2),
    );
    return () => {
      isGone = true;
    };
  }, [parley, bucket, path, tries]);
  if (tries > 1) {
    return <span className="quiet small">{nameOf(image)} cannot be shown.</span>;
  }
  return (
    <img
      src={address}
      alt={nameOf(image)}
      width={image.width}
      height={image.height}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => address !== undefined && setTries((before) => before + 1)}
    />
  );
}
