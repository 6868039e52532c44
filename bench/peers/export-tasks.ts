import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { listEnvelope } from "@holdfast/api/conventions/paging";
import { taskV1 } from "@holdfast/api/resources/tasks";
import { fetchText, type Ours } from "../sides/ours";

/** Writes all tasks of our service into a file, one on each line and the newest first, so that all sides hold the same. */
export async function exportTasks(ours: Ours, folder: string): Promise<string> {
  const file = join(folder, "tasks.ndjson");
  if (existsSync(file)) return file;
  const unfinished = `${file}.part`;
  const writer = Bun.file(unfinished).writer();
  for (let path: string | undefined = "/tasks?limit=1000"; path !== undefined; ) {
    const text: string = await fetchText(ours, { method: "GET", path, headers: ours.headers });
    const page = listEnvelope(taskV1).parse(JSON.parse(text));
    for (const task of page._embedded.items) writer.write(`${JSON.stringify(task)}\n`);
    await writer.flush();
    path = page._links.next?.href;
  }
  await writer.end();
  renameSync(unfinished, file);
  return file;
}
