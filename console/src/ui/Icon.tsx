const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  down: "M12 5v14M6 13l6 6 6-6",
  image: "M4 5h16v14H4zM8 10a1 1 0 1 0 0-.1M4 17l5-5 4 4 3-3 4 4",
  inspect: "M4 6h16M4 12h10M4 18h6M17 14a3 3 0 1 0 .1 0M19 19l2 2",
  menu: "M5 12h.01M12 12h.01M19 12h.01",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-3 3-5 6-5s6 2 6 5M16 5.5a3 3 0 0 1 0 5.5M17 14c2.5.5 4 2.500 4 5",
  retry: "M19 12a7 7 0 1 1-2-5M19 4v4h-4",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  stop: "M7 7h10v10H7z",
  theme: "M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z",
} as const;

export type IconName = keyof typeof PATHS;

/** A small line drawing that goes with a name, never instead of one. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "menu" ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
