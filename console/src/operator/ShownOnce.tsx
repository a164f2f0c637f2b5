import { useId, type ReactNode } from "react";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/Icon";

interface ShownOnceProps {
  title: string;
  secret: string;
  onClose: () => void;
  children: ReactNode;
}

/** A secret that the server shows this once. Only its own button closes it, lest it be lost by a slip. */
export function ShownOnce({ title, secret, onClose, children }: ShownOnceProps) {
  const id = useId();
  return (
    <Dialog title={title} onClose={() => {}}>
      <p id={id}>{children}</p>
      <p className="notice notice-warn">It is shown only now. Keep it somewhere safe.</p>
      <code className="operate-secret" tabIndex={0} aria-describedby={id} dir="ltr">
        {secret}
      </code>
      <div className="dialog-actions">
        <CopyButton icon={<Icon name="copy" />} text={() => secret} />
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}
