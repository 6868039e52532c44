import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { noAnswerReason } from "../packages/client/src/no-answer";
import { readPage, repository, samplesOf } from "./samples/read-samples";

/** Joins the commands of a page, in their order. */
const commandsOf = (page: string) =>
  samplesOf(page)
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text.replaceAll("\\\n", " "))
    .join("\n");

test("the tutorial works on the data of this machine, also for people who have a profile", () => {
  const created = [...commandsOf("docs/tutorial.md").matchAll(/holdfast token create (\S+)/g)].map(([, flag]) => flag);
  expect(created.length).toBeGreaterThan(0);
  expect(created.filter((flag) => flag !== "--local")).toEqual([]);
});

test.each([
  ["docs/how-to/monitor-a-backup.md", "holdfast monitor create ", "curl -s $URL/monitors "],
  ["docs/how-to/get-notified.md", "holdfast webhook create ", "curl -s $URL/webhooks "],
])("%s begins with %s, and has curl below it", (page, command, request) => {
  const commands = commandsOf(page);
  expect(commands).toContain(command);
  expect(commands.indexOf(request)).toBeGreaterThan(commands.indexOf(command));
});

test("back-up-holdfast.md names the files of the packages, and how many copies are kept", () => {
  const packaging = (name: string) => readFileSync(join(repository, "packaging/debian", name), "utf8");
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(packaging("holdfast-backup.service")) ?? [];
  const [, keep, copies = ""] = /--keep (\d+) --report (\S+)$/.exec(command) ?? [];
  const [, time = ""] = /^OnCalendar=\*-\*-\* (\S+)$/m.exec(packaging("holdfast-backup.timer")) ?? [];
  const { data_dir } = JSON.parse(packaging("holdfast.json"));
  expect([keep, time]).toEqual(["7", "02:30"]);
  const [, section = ""] = readPage("docs/how-to/back-up-holdfast.md").split("\n## With the Debian packages\n");
  const files = [`${copies}/holdfast-<time>.db`, `${data_dir}/holdfast.db`, `${data_dir}/secret.key`];
  const named = ["holdfast-backup.timer", `every night at ${time}`, "the seven newest", "holdfast database restore"];
  expect([...files, ...named].filter((words) => !section.split("\n## ")[0]?.includes(words))).toEqual([]);
});

test("trust-a-private-ca.md says it for the runner, the command line and the client", () => {
  const page = readPage("docs/how-to/trust-a-private-ca.md");
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  const topics = ["| `holdfast run` from a systemd unit", "| `holdfast login`, `holdfast status`", "[the client]"];
  expect(topics.filter((topic) => !rows.some((row) => row.includes(topic)))).toEqual([]);
  const error = Object.assign(new Error("fetch failed"), { code: "SELF_SIGNED_CERT_IN_CHAIN" });
  expect(page.replaceAll("\n", " ").includes(noAnswerReason(error))).toBe(true);
});
