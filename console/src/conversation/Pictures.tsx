import type { Message } from "@parley/client";
import { Dialog } from "../ui/Dialog";
import { factsOf } from "./model/facts";
import { StoredImage } from "./StoredImage";
import { useRowState } from "./useRowState";

/** An image that the server keeps. */
export interface Picture {
  bucket: string;
  path: string;
  filename?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

const MOST_PX = 320;
/** Several stand side by side. */
const MOST_OF_SEVERAL_PX = 200;
const LEAST_PX = 48;

/** The images of one message, each with its room before it is there, and to be opened in full. */
export function Pictures({ images, seq }: { images: Picture[]; seq?: number }) {
  const [open, setOpen] = useRowState<Picture>(seq, "picture");
  if (images.length === 0) {
    return null;
  }
  const most = images.length > 1 ? MOST_OF_SEVERAL_PX : MOST_PX;
  return (
    <div className="conversation-pictures">
      {images.map((image) => (
        <button
          key={`${image.bucket}/${image.path}`}
          type="button"
          className="conversation-picture"
          aria-label={`Open ${nameOf(image)}`}
          title={nameOf(image)}
          style={roomFor(image, most)}
          onClick={() => setOpen(image)}
        >
          <StoredImage image={image} />
        </button>
      ))}
      {open !== undefined && (
        <Dialog title={nameOf(open)} className="conversation-viewer" onClose={() => setOpen(undefined)}>
          <StoredImage image={open} />
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setOpen(undefined)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

export const nameOf = (image: Picture): string => image.filename || "Image";

/** The size that an image will have. */
export function roomFor({ width, height }: Picture, most: number): { width: number; aspectRatio: string } | undefined {
  if (!width || !height || width < 0 || height < 0) {
    return undefined;
  }
  const scale = Math.min(1, most / width, most / height);
  return { width: Math.max(LEAST_PX, Math.round(width * scale)), aspectRatio: `${width} / ${height}` };
}

/** The images of a committed message. What a client says of itself is not believed: the server's own mark is there too. */
export function imagesOf(message: Message): Picture[] {
  const { user_message_attachments: mark, attachments } = factsOf(message);
  if (message.deleted_at !== null || typeof mark !== "object" || mark === null || !Array.isArray(attachments)) {
    return [];
  }
  return attachments
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
