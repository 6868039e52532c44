import { join } from "node:path";
import { serveBare } from "./processes";
import type { Side } from "./side";

/** Starts the same runtime serving the bytes of an answer, with no work behind them. */
export async function startBare(
  folder: string,
  body: string,
  headers: Record<string, string>,
): Promise<Side & { stop(): Promise<void> }> {
  const file = join(folder, "page.json");
  await Bun.write(file, body);
  const served = await serveBare(file);
  const get = () => ({ method: "GET", path: "/", headers });
  return {
    name: "bare",
    url: served.url,
    pids: [served.pid],
    tasks: 0,
    list: get,
    one: get,
    create: get,
    stop: served.stop,
  };
}
