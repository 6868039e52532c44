/** A picture that stands in the documentation: which scene, and what of it. */
interface DocumentationPicture {
  of: string;
  /** Its name in `docs/images/`. */
  file: string;
  width: number;
  height: number;
  colorScheme: "light" | "dark";
  /** The element that it shows; the window where none is named. */
  part?: string;
}

const page = { width: 1280, height: 820, colorScheme: "light" } as const;
const dialog = { width: 900, height: 900, colorScheme: "light", part: ".mantine-Modal-content" } as const;
const phone = { width: 360, height: 720, colorScheme: "light" } as const;

/** The pictures of README.md, of the tour and of the how-to pages. */
export const documentationPictures: readonly DocumentationPicture[] = [
  { of: "overview", file: "overview", ...page },
  { of: "overview", file: "overview-dark", ...page, colorScheme: "dark" },
  { of: "overview", file: "phone-overview", ...phone },
  { of: "first-steps", file: "first-steps", ...page },
  { of: "tasks", file: "tasks", ...page },
  { of: "task", file: "task", ...page },
  { of: "task", file: "phone-task", ...phone, colorScheme: "dark" },
  { of: "task-running", file: "task-running", ...page, colorScheme: "dark" },
  { of: "entities", file: "protected-items", ...page },
  { of: "monitors", file: "monitors", ...page },
  { of: "tokens", file: "api-tokens", ...page, height: 600 },
  { of: "dialog-create-token", file: "create-token", ...dialog },
  { of: "dialog-token-created", file: "token-created", ...dialog },
  { of: "dialog-revoke-token", file: "revoke-token", ...dialog },
  { of: "dialog-monitor", file: "create-monitor", ...dialog },
  { of: "dialog-api-call", file: "api-call", ...dialog },
  { of: "dialog-unit-switcher", file: "switch-unit", ...dialog },
];
