import { useEffect, useState } from "react";
import { useParley } from "../connection/context";
import { addressOf, fromHere } from "../ui/storedImages";
import { nameOf, type Picture } from "./Pictures";

/** An image that finds its address itself, and asks for another one once if that has expired. */
export function StoredImage({ image }: { image: Picture }) {
  const parley = useParley();
  const [tries, setTries] = useState(0);
  const [address, setAddress] = useState<string>();
  const { bucket, path } = image;
  useEffect(() => {
    let isGone = false;
    addressOf(parley, { bucket, path }, tries > 0).then(
      (url) => isGone || setAddress(fromHere(url)),
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
