/** The outlines of our icons, on a grid of 20. */
const outlines = {
  overview: "M3 10.5 10 4l7 6.5M5 9v7h10V9M8.5 16v-4h3v4",
  tasks: "M4 5.5h1.5M4 10h1.5M4 14.5h1.5M8.5 5.5H16M8.5 10H16M8.5 14.5H16",
  items: "M10 2.8 16 5v4.6c0 3.6-2.5 6.2-6 7.6-3.5-1.4-6-4-6-7.6V5l6-2.2ZM7.3 9.8l2 2 3.5-3.8",
  monitors: "M2.5 10.5h3.2l2-5.5 4 10 2.1-4.5h3.7",
  users:
    "M7.5 9a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM2.5 16.2c0-2.6 2.2-4.4 5-4.4s5 1.8 5 4.4M13 3.7a2.6 2.6 0 0 1 0 5M14.5 12c1.9.6 3 2.1 3 4.2",
  roles: "M12.5 11a4 4 0 1 0-3.6-2.2L3 14.7V17h2.6v-2h2v-2l1.7-1.6c.9.3 2 .6 3.2-.4ZM13.4 6.6h.01",
  units: "M7.5 3h5v4h-5V3ZM2.5 13h5v4h-5v-4ZM12.5 13h5v4h-5v-4ZM10 7v3M5 13v-3h10v3",
  tokens: "M3 6.5h14v7H3v-7ZM6.5 10h.01M10 10h.01M13.5 10h.01",
  notifications: "M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13L5 13.5ZM8.5 17h3",
  audit: "M5 2.8h7l3 3v11.4H5V2.8ZM12 2.8v3h3M7.5 10h5M7.5 13h5",
  keys: "M4.5 9h11v7.5h-11V9ZM7 9V6.5a3 3 0 0 1 6 0V9M10 12v1.8",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  down: "m5.5 8 4.5 4.5L14.5 8",
  right: "m8 5.5 4.5 4.5L8 14.5",
  close: "m5 5 10 10M15 5 5 15",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4",
  add: "M10 4v12M4 10h12",
  bookmark: "M6 3.5h8v13l-4-3-4 3v-13Z",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  help: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM7.9 8a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4M10 13.6h.01",
  account: "M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM4 16.8c0-2.9 2.6-4.8 6-4.8s6 1.9 6 4.8",
  code: "m7 6-4 4 4 4M13 6l4 4-4 4",
  download: "M10 3.5v9M6.3 9.2 10 12.8l3.7-3.6M4 16.5h12",
  away: "M3 8c4-3.6 10-3.6 14 0M5.5 11c2.6-2.3 6.4-2.3 9 0M10 14.6h.01M3.5 3.5l13 13",
  lock: "M5 9h10v7.5H5V9ZM7.2 9V6.6a2.8 2.8 0 0 1 5.6 0V9",
  empty: "M3.5 11 6 4.5h8l2.5 6.5v5h-13v-5ZM3.5 11h4l1 2h3l1-2h4",
} as const;

export type IconName = keyof typeof outlines;

/** An icon beside words: it says nothing by itself. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={outlines[name]} />
    </svg>
  );
}

/** The mark of Holdfast. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b6e5f" />
      <path
        d="M16 5v12M16 17c-5 0-8 3-8 8M16 17c5 0 8 3 8 8M16 17v8M12 27h8"
        stroke="#fff"
        strokeWidth="2.5"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  );
}
