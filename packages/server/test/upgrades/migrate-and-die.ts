/** Opens a database, which migrates it, and kills itself at a statement: bun migrate-and-die.ts URL STATEMENT before|during */
import { Database as File } from "bun:sqlite";
import { Client } from "pg";
import { openByUrl } from "../folder-database";
import { withSecondStep } from "./second-step";

const [url = "", at = "", when = ""] = process.argv.slice(2);
const kill = () => process.kill(process.pid, "SIGKILL");
let count = 0;

function counted<Call extends object>(call: Call): Call {
  return new Proxy(call, {
    apply(target, self, args) {
      count += 1;
      const isLast = count === Number(at);
      if (isLast && when === "before") kill();
      const result: unknown = typeof target === "function" ? Reflect.apply(target, self, args) : undefined;
      if (isLast) kill();
      return result;
    },
  });
}

File.prototype.prepare = new Proxy(File.prototype.prepare, {
  apply(target, self, args: Parameters<typeof File.prototype.prepare>) {
    const statement = Reflect.apply(target, self, args);
    // Each statement has methods of its own.
    statement.run = counted(statement.run);
    statement.all = counted(statement.all);
    return statement;
  },
});
Client.prototype.query = counted(Client.prototype.query);
await (await openByUrl(url, withSecondStep)).close();
process.stdout.write(`${count}\n`);
process.exit(0);
