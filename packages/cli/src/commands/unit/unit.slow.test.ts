import { afterAll, expect, test } from "bun:test";
import { openCommandLine } from "../../../test/open-command-line";

const { runHere, inDatabase, remove } = openCommandLine();
afterAll(remove);

const holdfast = async (...args: string[]) => {
  const { stdout, stderr, exitCode } = await runHere(args);
  return { stdout: stdout.trim(), stderr: stderr.trim(), exitCode };
};

const root = "00000000-0000-0000-0000-000000000000";
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
    ["delete", harbour, "--yes"],
    ["delete", harbour, "--move-to", crane, "--yes"],
    ["delete", "00000000-0000-0000-0000-000000000000", "--yes"],
    ["delete", "11111111-1111-4111-8111-111111111111", "--yes"],
  ];
  const told = [];
  for (const refusal of refusals) told.push(await holdfast("ou", ...refusal));
  expect(told.map(({ exitCode }) => exitCode)).toEqual(refusals.map(() => 1));
  expect(told.map(({ stderr }) => stderr)).toEqual([
    "holdfast: There is an organizational unit of that name there already. Choose another name.",
    "holdfast: There is an organizational unit of that name there already. Choose another name.",
    "holdfast: An organizational unit cannot be put below itself. Name one that is elsewhere.",
    "holdfast: The root cannot be moved. Move the units below it.",
    "holdfast: There are other units in this organizational unit. Remove them, or name another unit that takes everything: --move-to.",
    "holdfast: An organizational unit cannot be put below itself. Name one that is elsewhere.",
    "holdfast: The root cannot be deleted. Delete the units below it.",
    "holdfast: There is no such organizational unit, or you may not see it. See: holdfast unit list",
  ]);
  expect((await holdfast("ou", "rename", south, "--name", "Süd")).exitCode).toBe(0);
  expect((await holdfast("ou", "move", harbour, "--parent", south)).exitCode).toBe(0);
  expect(await tree()).toEqual(["NAME", "Root", "├─ North", "└─ Süd", "   └─ Harbour", "      └─ Crane"]);
  expect((await holdfast("ou", "delete", harbour, "--move-to", north, "--yes")).exitCode).toBe(0);
  expect((await holdfast("ou", "delete", south, "--yes")).exitCode).toBe(0);
  expect(await tree()).toEqual(["NAME", "Root", "└─ North", "   └─ Crane"]);
}, 120_000);

test("a unit says after how many days of silence its items are stale, and follows the unit above again", async () => {
  const archive = (await holdfast("unit", "create", "--name", "Archive")).stdout;
  const stale = async () => /^Items are stale +(.*)$/m.exec((await holdfast("unit", "show", archive)).stdout)?.[1];
  const update = (days: string) => holdfast("unit", "update", archive, "--stale-after", days);
  expect(await stale()).toBe("as in the unit above, or as the service is set");
  expect((await update("31")).exitCode).toBe(0);
  expect(await stale()).toBe("after 31 days without a good backup, if no monitor watches them");
  expect((await update("0")).exitCode).toBe(0);
  expect(await stale()).toBe("never");
  expect((await update("soon")).exitCode).toBe(2);
  expect((await update("inherit")).exitCode).toBe(0);
  expect(await stale()).toBe("as in the unit above, or as the service is set");
  expect((await holdfast("unit", "delete", archive, "--yes")).exitCode).toBe(0);
});

test("T9 T26: what is moved makes invitations void that would come to give more, and is told of where it was and where it is", async () => {
  const result = async (...args: string[]) => (await holdfast(...args)).stdout;
  const create = (name: string, parent = root) => result("ou", "create", "--name", name, "--parent", parent);
  const above = await create("Above");
  const [west, east] = [await create("West", above), await create("East", above)];
  const [dock, shed] = [await create("Dock", west), await create("Shed", west)];
  const invite = async (name: string, unit: string) => {
    const about = ["--email", `${name}@example.org`, "--name", name, "--role", "viewer", "--ou", unit];
    const id = await result("user", "create", ...about);
    expect((await holdfast("user", "invite", id)).exitCode).toBe(0);
    return id;
  };
  const [inEast, inShed, inWest] = [await invite("e", east), await invite("s", shed), await invite("w", west)];
  expect(await openInvitations()).toEqual([inEast, inShed, inWest].sort());
  expect((await holdfast("ou", "move", dock, "--parent", east)).exitCode).toBe(0);
  expect(await openInvitations()).toEqual([inShed, inWest].sort());
  expect((await holdfast("ou", "delete", shed, "--move-to", dock, "--yes")).exitCode).toBe(0);
  expect(await openInvitations()).toEqual([inWest]);

  const before = { id: dock, name: "Dock", parent_id: west };
  const after = { ...before, parent_id: east };
  expect(await told(dock)).toMatchObject([
    { organizational_unit_id: west, before: null, after: before },
    { organizational_unit_id: above, before, after },
    { organizational_unit_id: west, before, after: null },
    { organizational_unit_id: east, before: null, after },
    { organizational_unit_id: dock, before: { id: dock, name: "Dock" }, after: { name: "Dock", is_moved: true } },
  ]);
  const gone = { id: shed, name: "Shed", parent_id: west };
  expect(await told(shed)).toMatchObject([
    { organizational_unit_id: west, before: null, after: gone },
    { organizational_unit_id: above, before: gone, after: { moved_to: dock } },
    { organizational_unit_id: west, before: gone, after: null },
    { organizational_unit_id: dock, before: null, after: { moved_to: dock } },
  ]);
}, 120_000);

/** Whom an invitation is open for. */
async function openInvitations() {
  const rows = await inDatabase((database) =>
    database.snapshot((db) => db.selectFrom("one_time_links").select("user_id").execute()),
  );
  return rows.map((row) => row.user_id).sort();
}

/** Reads the audit events of a unit. */
async function told(id: string) {
  const lines = (await holdfast("audit", "export")).stdout.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter(({ object }) => object.id === id);
}
