import type { ReactNode } from "react";

interface BadgeProps {
  tone?: "plain" | "accent" | "good" | "warn" | "bad";
  title?: string;
  children: ReactNode;
}

/** A few words about something, in a small pill. */
export function Badge({ tone = "plain", title, children }: BadgeProps) {
  return (
    <span className={tone === "plain" ? "badge" : `badge badge-${tone}`} title={title}>
      {children}
    </span>
  );
}
