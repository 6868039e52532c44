import { expect, test } from "bun:test";
import { tokenPattern } from "@holdfast/server/access/tokens/token-format";

test("T24: the pattern for leaked tokens that SECURITY.md gives is the one that tokens have", async () => {
  const page = await Bun.file("SECURITY.md").text();
  expect(page.split(tokenPattern)).toHaveLength(3);
});
