import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "holdfast-ou-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function holdfast(...args: string[]) {
  const command = Bun.spawn([process.execPath, join(import.meta.dir, "..", "main.ts"), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOLDFAST_DATA_DIR: join(folder, "data") },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
  ]);
  return { stdout: stdout.trim(), stderr: stderr.trim(), exitCode: await command.exited };
}

const tree = async () => (await holdfast("ou", "list")).stdout.split("\n").map((line) => line.split(/ {2,}\S+$/)[0]);

test("units are renamed, moved and deleted, and what cannot be done is refused in one line", async () => {
  const create = async (name: string, ...args: string[]) =>
    (await holdfast("ou", "create", "--name", name, ...args)).stdout;
  const north = await create("North");
  const south = await create("South");
  const harbour = await create("Harbour", "--parent", north);
  const crane = await create("Crane", "--parent", harbour);
  const refusals = [
    ["create", "--name", "NORTH"],
    ["rename", south, "--name", "north"],
    ["move", north, "--parent", crane],
    ["move", "00000000-0000-0000-0000-000000000000", "--parent", south],
    ["delete", harbour],
    ["delete", harbour, "--move-to", crane],
    ["delete", "00000000-0000-0000-0000-000000000000"],
    ["delete", "11111111-1111-4111-8111-111111111111"],
  ];
  const told = [];
  for (const refusal of refusals) told.push(await holdfast("ou", ...refusal));
  expect(told.map(({ exitCode }) => exitCode)).toEqual(refusals.map(() => 1));
  expect(told.map(({ stderr }) => stderr)).toEqual([
    "holdfast: There is an organizational unit of that name there already. Choose another name.",
    "holdfast: There is an organizational unit of that name there already. Choose another name.",
    "holdfast: An organizational unit cannot be put below itself. Name one that is elsewhere.",
    "holdfast: The root cannot be moved. Move the units below it.",
    "holdfast: There are other units in this organizational unit. Remove them, or name another unit in move_to that takes everything.",
    "holdfast: An organizational unit cannot be put below itself. Name one that is elsewhere.",
    "holdfast: The root cannot be deleted.",
    "holdfast: There is no organizational unit 11111111-1111-4111-8111-111111111111. See: holdfast ou list",
  ]);
  expect((await holdfast("ou", "rename", south, "--name", "Süd")).exitCode).toBe(0);
  expect((await holdfast("ou", "move", harbour, "--parent", south)).exitCode).toBe(0);
  expect(await tree()).toEqual(["NAME", "Root", "├─ North", "└─ Süd", "   └─ Harbour", "      └─ Crane"]);
  expect((await holdfast("ou", "delete", harbour, "--move-to", north)).exitCode).toBe(0);
  expect((await holdfast("ou", "delete", south)).exitCode).toBe(0);
  expect(await tree()).toEqual(["NAME", "Root", "└─ North", "   └─ Crane"]);
}, 60_000);
