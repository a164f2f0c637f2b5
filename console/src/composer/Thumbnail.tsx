import { useEffect, useState } from "react";
import { useParley } from "../connection/context";
import { addressOf, fromHere } from "../ui/storedImages";
import type { Upload } from "./uploads";

/** A small picture of what will be sent: of the file, or of what the server has. */
export function Thumbnail({ upload: { preview, image } }: { upload: Upload }) {
  const parley = useParley();
  const [stored, setStored] = useState<string>();
  useEffect(() => {
    if (preview === undefined && image !== undefined) {
      addressOf(parley, image).then((url) => setStored(fromHere(url)), () => {});
    }
  }, [parley, preview, image]);
  const address = preview ?? stored;
  return (
    <span className="composer-thumbnail" aria-hidden="true">
      {address !== undefined && <img src={address} alt="" />}
    </span>
  );
}
