import type { ServerProcess } from "../process";
import { until } from "./replicated-planes";

export const near = "The replica is close to the primary, so lists are read from it.";
export const away = "The replica cannot be used, so lists are read from the primary.";

/** Unlike all others, whoever has added those. */
export const newTask = () => ({ id: crypto.randomUUID() });

/** What the log says of the replica. */
export function news({ printed }: ServerProcess): { message: string; error?: string }[] {
  const lines = printed().split("\n");
  return lines.filter((line) => /"message":"The replica/.test(line)).map((line) => JSON.parse(line));
}

/** Waits until the log says so much of the replica, and gives what it says. */
export async function untilTold(server: ServerProcess, count: number) {
  await until(`there are ${count} news`, () => news(server).length >= count);
  return news(server).map(({ message }) => message);
}
