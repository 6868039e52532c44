import type { Resource } from "../conventions/operation";
import { tasks } from "./tasks";
import { users } from "./users";

/** Every resource of the API. */
export const resources: readonly Resource[] = [users, tasks];
