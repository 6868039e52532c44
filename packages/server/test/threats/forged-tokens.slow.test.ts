import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { startProcess } from "../process";
import { forgeTokens } from "./forge-tokens";

/** The connections that a process made to anything but this machine, as strace tells them. */
function outboundConnections(trace: string): string[] {
  return trace
    .split("\n")
    .filter((line) => line.includes("connect("))
    .filter((line) => !/sa_family=AF_UNIX|inet_addr\("127\.|inet_pton\(AF_INET6, "::1"/.test(line));
}

test("T1: while it refuses every forged token, the server connects to nothing", async () => {
  const folder = makeFolder();
  const trace = join(folder, "connections.trace");
  const server = await startProcess({
    folder,
    under: ["strace", "-D", "-f", "-qq", "-e", "trace=connect,socket", "-o", trace],
  });
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("owner");
  const forgeries = await forgeTokens(beside);
  const accepted = await server.ask("/tasks", { token });
  const refused = await Promise.all(forgeries.map((forgery) => server.ask("/tasks", { token: forgery.token })));
  await server.stop();
  const traced = readFileSync(trace, "utf8");
  await beside.close();
  expect(accepted.status).toBe(200);
  expect(refused.map(({ status }) => status)).toEqual(forgeries.map(() => 401));
  expect(outboundConnections(traced)).toEqual([]);
  // The listening socket is there, so the trace was made.
  expect(traced).toContain("AF_INET");
}, 120_000);

test("T1: a connection to the outside would be seen", () => {
  const outside = 'connect(12, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("203.0.113.9")}, 16) = -1';
  const inside = 'connect(12, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0';
  expect(outboundConnections(`${outside}\n${inside}`)).toEqual([outside]);
});
