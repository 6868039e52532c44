import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "how-to");
const page = readFileSync(join(folder, "run-on-more-than-one-machine.md"), "utf8");
const read = (file: string) => readFileSync(join(folder, "machines", file), "utf8");

test.each(["etcd", "patroni.yml", "settings.json"])("the page shows %s as the tests run it", (file) => {
  const [, shown] = page.split(`(machines/${file})`)[1]?.split(/^```\w*\n/m) ?? [];
  expect(shown).toBe(read(file));
});

test("the times of patroni.yml keep what Patroni requires, and the page's 30 seconds", () => {
  const patroni = Bun.YAML.parse(read("patroni.yml"));
  const { ttl, loop_wait, retry_timeout, synchronous_mode } = Object(patroni).bootstrap.dcs;
  expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout);
  expect([ttl < 25, synchronous_mode]).toEqual([true, true]);
});

test("settings.json names the two machines of patroni.yml and etcd", () => {
  const { database_url } = JSON.parse(read("settings.json"));
  const { hosts } = Object(Bun.YAML.parse(read("patroni.yml"))).etcd;
  const [, both = ""] = /@([^/]+)\//.exec(database_url) ?? [];
  expect(hosts).toStartWith(
    both
      .split(",")
      .map((host) => `${host}:2379`)
      .join(),
  );
});
