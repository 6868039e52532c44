import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webhookEvents } from "@holdfast/api/resources/webhook-words";
import { Webhook } from "standardwebhooks";

const page = readFileSync(join(import.meta.dir, "how-to/get-notified.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "holdfast-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the program on the page accepts what is signed, and nothing else", async () => {
  const [, program = ""] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
  const file = join(folder, "verify.ts");
  writeFileSync(file, program);
  const { isFromHoldfast } = await import(file);
  const [secret, other] = [`whsec_${btoa("k".repeat(32))}`, `whsec_${btoa("o".repeat(32))}`];
  const now = new Date();
  const headersAt = (at: Date, ...secrets: string[]) =>
    new Headers({
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": secrets.map((one) => new Webhook(one).sign("msg_1", at, "{}")).join(" "),
    });
  expect(isFromHoldfast(secret, headersAt(now, secret), "{}")).toBe(true);
  expect(isFromHoldfast(secret, headersAt(now, other, secret), "{}")).toBe(true);
  expect(isFromHoldfast(secret, headersAt(now, other), "{}")).toBe(false);
  expect(isFromHoldfast(secret, headersAt(now, secret), "{ }")).toBe(false);
  expect(isFromHoldfast(secret, headersAt(new Date(now.getTime() - 3_600_000), secret), "{}")).toBe(false);
  expect(isFromHoldfast(secret, new Headers(), "{}")).toBe(false);
});

test("values of the header Authorization on the page can be sent", () => {
  const values = [...page.matchAll(/"authorization": "([^"]*)"/g)].map(([, value = ""]) => value);
  expect(values.length).toBeGreaterThan(0);
  expect(values.filter((value) => !/^[!-~]+( [!-~]+)*$/.test(value))).toEqual([]);
});

test("the page names every event", () => {
  expect(webhookEvents.filter((event) => !page.includes(`\`${event}\``))).toEqual([]);
});
