import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { PostGraphileConnectionFilterPreset } from "postgraphile-plugin-connection-filter";
import { announce, requireToken } from "./common.mjs";
import { openTasks } from "./postgres-table.mjs";

/** PostGraphile on the same table of PostgreSQL: a packaged service that makes an API of a database. */
const [, , connectionString, tasksFile] = process.argv;
const pool = await openTasks(connectionString, tasksFile);

const service = postgraphile({
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset],
  pgServices: [makePgService({ pool })],
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
});
const handle = service.createServ(grafserv).createHandler();
const server = createServer((request, response) => {
  try {
    requireToken(request.headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  handle(request, response);
});
server.listen(0, "127.0.0.1", () => announce(server));
