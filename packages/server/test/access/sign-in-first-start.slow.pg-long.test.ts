import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { holdDatabase } from "../folder-database";
import { makeFolder } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { password } from "./people";

const pattern = /Become the first owner: +(\S+)#([\w-]{43}) \(good once, for an hour\)/g;
const linksOf = (server: ServerProcess) => [...server.printed().matchAll(pattern)];

function become(server: ServerProcess, secret: string) {
  return fetch(`${server.baseUrl}/first-owner`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ secret, email: "first@example.org", full_name: "First Owner", password }),
  });
}

test("a start prints a link for the first owner, the next start another one, and none once there is an owner", async () => {
  const folder = makeFolder();
  // From one start to the next.
  const held = await holdDatabase(folder);
  const first = await startProcess({ folder });
  const [[, address, older = ""] = []] = linksOf(first);
  expect([linksOf(first).length, address]).toEqual([1, `${first.baseUrl}/first-owner`]);
  await first.stop();
  const second = await startProcess({ folder });
  const [[, , newer = ""] = []] = linksOf(second);
  expect((await become(second, older)).status).toBe(400);
  expect((await become(second, newer)).status).toBe(201);
  expect((await become(second, newer)).status).toBe(400);
  await second.stop();
  const third = await startProcess({ folder });
  expect(linksOf(third)).toEqual([]);
  await third.stop();
  await held.release();
  rmSync(folder, { recursive: true });
});

test("several processes print one link, which is good at any of them", async () => {
  const server = await startProcess({ flags: { processes: "3" } });
  const links = linksOf(server);
  expect(links.length).toBe(1);
  expect((await become(server, links[0]?.[2] ?? "")).status).toBe(201);
  await server.stop();
  rmSync(server.folder, { recursive: true });
});
