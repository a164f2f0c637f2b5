import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Thumbnail } from "./Thumbnail";
import type { Upload, Uploads } from "./uploads";

/** The images that wait above the message field. */
export function UploadChips({ all, uploads }: { all: readonly Upload[]; uploads: Uploads }) {
  if (all.length === 0) {
    return null;
  }
  return (
    <ul className="composer-uploads" aria-label="Images to be sent">
      {all.map((upload) => (
        <li key={upload.key} className="composer-upload" data-state={upload.state}>
          <Thumbnail upload={upload} />
          <span className="composer-upload-about">
            <span className="ellipsis" dir="auto" title={upload.name}>
              {upload.name}
            </span>
            {upload.state === "uploading" && <progress aria-label="Uploaded" max={1} value={upload.progress} />}
            {upload.refusal !== undefined && (
              <span className="field-error" role="alert">
                {upload.refusal}
              </span>
            )}
          </span>
          {upload.state === "failed" && upload.preview !== undefined && (
            <Button onClick={() => uploads.retry(upload.key)}>Try again</Button>
          )}
          <Button look="ghost" icon aria-label={`Remove ${upload.name}`} onClick={() => uploads.remove(upload.key)}>
            <Icon name="close" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
