import type { NameLinks } from "@holdfast/api/conventions/hal";
import type { Implementation } from "./implementation";
import { taskOperations } from "./tasks/operations";
import { userOperations } from "./users/operations";

/** What is behind every operation of the API, by operation id. */
export function implementations(nameLinks: NameLinks): Record<string, Implementation> {
  return { ...userOperations, ...taskOperations(nameLinks) };
}
