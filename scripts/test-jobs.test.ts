import { expect, test } from "bun:test";
import { type Extent, findTestFiles, jobsOf } from "./test-jobs";

const files = ["a.test.ts", "b.pg-quick.test.ts", "c.pg.test.ts", "d.slow.pg-long.test.ts"];
const apart = ["e.slow.alone.test.ts", "f.slow.alone-long.test.ts", "g.long.test.ts"];

function planned(extent: Extent) {
  const { shared, alone } = jobsOf(extent, [...files, ...apart]);
  const named = (jobs: typeof shared) => jobs.map((job) => `${job.database} ${job.files.join(" ")}`);
  return { shared: named(shared), alone: named(alone) };
}

test("tags say in which run a file has its turn, on which database, and whether alone; slow ones come first", () => {
  expect(planned("quick")).toEqual({
    shared: ["postgres b.pg-quick.test.ts", "sqlite a.test.ts b.pg-quick.test.ts c.pg.test.ts"],
    alone: [],
  });
  const quick = ["postgres b.pg-quick.test.ts c.pg.test.ts", "sqlite a.test.ts b.pg-quick.test.ts c.pg.test.ts"];
  expect(planned("default")).toEqual({
    shared: ["sqlite d.slow.pg-long.test.ts", "sqlite f.slow.alone-long.test.ts", ...quick],
    alone: ["sqlite e.slow.alone.test.ts"],
  });
  expect(planned("long")).toEqual({
    shared: ["postgres d.slow.pg-long.test.ts", "sqlite d.slow.pg-long.test.ts", "sqlite g.long.test.ts", ...quick],
    alone: ["sqlite e.slow.alone.test.ts", "sqlite f.slow.alone-long.test.ts"],
  });
});

test("in the long run every test file has its turn, and each has only tags that mean something", async () => {
  const all = await findTestFiles();
  const { shared, alone } = jobsOf("long", all);
  const onSqlite = [...shared, ...alone].filter(({ database }) => database === "sqlite").flatMap((job) => job.files);
  expect(onSqlite.sort()).toEqual(all);
  const tag = "slow|long|alone(-long)?|pg(-quick|-long)?";
  expect(all.filter((file) => !new RegExp(`/[^./]+([.](${tag}))*[.]test[.]ts$`).test(file))).toEqual([]);
});
