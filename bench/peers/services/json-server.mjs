import { existsSync, writeFileSync } from "node:fs";
import jsonServer from "json-server";
import { announce, readTasks, requireToken } from "./common.mjs";

/** json-server as its page shows it. It keeps all tasks in memory and writes the whole file on each change. */
const [, , file, tasksFile, most] = process.argv;
if (!existsSync(file)) {
  const tasks = [];
  for await (const batch of readTasks(tasksFile)) {
    tasks.push(...batch.slice(0, Number(most) - tasks.length));
    if (tasks.length >= Number(most)) break;
  }
  writeFileSync(file, JSON.stringify({ tasks }));
}

const service = jsonServer.create();
service.use((request, response, next) => {
  try {
    requireToken(request.headers);
    next();
  } catch {
    response.status(401).end();
  }
});
service.use(jsonServer.defaults({ logger: false }));
service.use(jsonServer.bodyParser);
service.use(jsonServer.router(file));
const server = service.listen(0, "127.0.0.1", () => announce(server));
