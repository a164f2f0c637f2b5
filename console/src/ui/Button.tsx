import type { ButtonHTMLAttributes, ReactNode } from "react";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: "plain" | "primary" | "ghost" | "danger";
  /** Only an icon is shown; then `aria-label` is needed. */
  icon?: boolean;
  children: ReactNode;
}

/** A button, which never submits a form unless it says so. */
export function Button({ look = "plain", icon = false, className = "", children, ...rest }: ButtonProps) {
  const looks = look === "plain" ? "" : ` button-${look}`;
  return (
    <button type="button" className={`button${looks}${icon ? " button-icon" : ""} ${className}`.trim()} {...rest}>
      {children}
    </button>
  );
}
