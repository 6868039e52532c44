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

const window = { width: 1280, height: 800, colorScheme: "light" } as const;
const small = { width: 900, height: 760, colorScheme: "light", part: ".mantine-Modal-content" } as const;

/** The pictures of README.md and of the tour. */
export const documentationPictures: readonly DocumentationPicture[] = [
  { of: "overview", file: "overview", ...window },
  { of: "overview", file: "overview-dark", ...window, colorScheme: "dark" },
  { of: "tasks", file: "tasks", ...window },
  { of: "task", file: "task", ...window },
  { of: "task-running", file: "task-running", ...window, colorScheme: "dark" },
  { of: "entities", file: "protected-items", ...window },
  { of: "monitors", file: "monitors", ...window },
  { of: "dialog-create-token", file: "create-token", ...small },
  { of: "dialog-token-created", file: "token-created", ...small },
];
