import { viewPages } from "@holdfast/api/resources/view-pages";

/** Parameters of the address of the list of tasks, each as plain text. */
export type TaskSearch = {
  [Name in (typeof viewPages)["tasks"]["names"][number] | "page" | "size"]?: string | undefined;
};

const pageSizes = [25, 50, 100] as const;
const defaultPageSize = 50;

export function sizeOf({ size }: TaskSearch): number {
  return pageSizes.find((one) => String(one) === size) ?? defaultPageSize;
}

/** Now, cut to the minute: equal questions have equal answers. */
export function thisMinute(): number {
  return Math.floor(Date.now() / 60_000) * 60_000;
}

/** True if a text is the id of something. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text.trim());
}

/** True if the address narrows the list. */
export function isNarrowed(search: TaskSearch): boolean {
  return viewPages.tasks.names.some((name) => search[name] !== undefined);
}

/** The views that people look at most. */
export const quickViews = [
  { name: "All", search: {} },
  { name: "Running", search: { status: "queued,in_progress,aborting" } },
  { name: "Errors", search: { outcome: "error,lost" } },
  { name: "Incomplete", search: { outcome: "warning" } },
  { name: "Missed", search: { outcome: "missed,expired" } },
] as const satisfies readonly { name: string; search: TaskSearch }[];
