import { useId, type ReactNode } from "react";

interface FieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Renders the control with the given id and description. */
  children: (control: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}

/** A control with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-describedby": `${id}-about`, "aria-invalid": error !== undefined })}
      <div id={`${id}-about`}>
        {hint !== undefined && <p className="quiet small">{hint}</p>}
        {error !== undefined && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
