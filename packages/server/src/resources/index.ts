import type { Implementation } from "./implementation";
import { taskOperations } from "./tasks/operations";
import { userOperations } from "./users/operations";

/** What is behind every operation of the API, by operation id. */
export function implementations(): Record<string, Implementation> {
  return { ...userOperations, ...taskOperations() };
}
