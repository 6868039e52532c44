import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { commandName } from "@holdfast/server/settings/executable";
import { welcome } from "./welcome";

const fresh = { port: 8080, baseUrl: "http://127.0.0.1:8080", hasTokens: false, firstOwnerLink: "http://link" };
const settings = { host: "127.0.0.1", processes: 1 };

test("a first start on this machine alone says that other hosts cannot reach it and what to do, and shows token create --local", () => {
  expect(welcome(fresh, settings).split("\n")).toEqual([
    "Holdfast serves http://127.0.0.1:8080, and explains itself at http://127.0.0.1:8080/docs",
    "Only this machine can reach http://127.0.0.1:8080. Before you add other hosts, put a proxy with TLS in front and start with",
    `  --base-url https://<its name>, or without one with --host 0.0.0.0 --base-url http://${hostname()}:8080`,
    "Become the first owner:   http://link (good once, for an hour)",
    `Make a first token:       ${commandName} token create --local --kind service --name first --role owner`,
    `Add demonstration data:   ${commandName} demo`,
    "",
  ]);
});

test.each(["http://localhost:8080", "http://127.8.8.8", "http://[::1]:9090"])("%s is this machine alone", (baseUrl) => {
  expect(welcome({ ...fresh, baseUrl }, settings)).toContain(`Only this machine can reach ${baseUrl}.`);
});

test("a service with an address for other hosts names that one alone, wherever it listens", () => {
  const news = { ...fresh, baseUrl: "https://backup.example.org" };
  const everywhere = ["0.0.0.0", "::", "[::]", "0", "0x0"].map((host) => welcome(news, { host, processes: 1 }));
  expect(new Set(everywhere).size).toBe(1);
  expect(everywhere[0]).toStartWith(
    "Holdfast serves https://backup.example.org, listening on all addresses, port 8080, and explains itself at",
  );
  expect(everywhere[0]).not.toMatch(/Only this machine|0\.0\.0\.0/);
});

test("a later start repeats none of it", () => {
  expect(welcome({ ...fresh, hasTokens: true, firstOwnerLink: null }, settings).split("\n")).toHaveLength(2);
});
