import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "how-to");
const page = readFileSync(join(folder, "run-behind-a-proxy.md"), "utf8");

test.each(["nginx.conf", "Caddyfile", "haproxy.cfg"])("the page shows %s as the tests run it", (file) => {
  const [, shown] = page.split(`(proxy/${file})`)[1]?.split(/^```\w*\n/m) ?? [];
  expect(shown).toBe(readFileSync(join(folder, "proxy", file), "utf8"));
});
