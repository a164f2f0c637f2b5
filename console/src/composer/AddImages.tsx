import { useRef } from "react";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { IMAGE_TYPES } from "./uploads";

interface AddImagesProps {
  disabled: boolean;
  onFiles: (files: File[]) => void;
}

/** A button by which images are chosen from the disk. */
export function AddImages({ disabled, onFiles }: AddImagesProps) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        look="ghost"
        icon
        aria-label="Add images"
        title="Add images (or paste or drop them)"
        disabled={disabled}
        onClick={() => files.current?.click()}
      >
        <Icon name="image" />
      </Button>
      <input
        ref={files}
        className="unseen"
        type="file"
        aria-label="Images"
        tabIndex={-1}
        accept={IMAGE_TYPES.join(",")}
        multiple
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
