import { expect, test } from "bun:test";
import type { ItemOf } from "@holdfast/client";
import { createAddressCheck } from "./service-addresses";

const me: Omit<ItemOf<"caller", "read-caller">, "base_url" | "base_url_aliases"> = {
  kind: "service",
  user: null,
  token: null,
  organizational_unit: { id: "00000000-0000-0000-0000-000000000000", name: "Root" },
  permissions: [],
  _links: { self: { href: "/caller", templated: false, type: "get" } },
};

/** A check with a service that answers so. */
function asking(baseUrl: string, read: () => Promise<ItemOf<"caller", "read-caller">>) {
  return createAddressCheck({ baseUrl, caller: { read } }, new AbortController().signal);
}

const claim = { base_url: "https://new.test", base_url_aliases: ["https://old.test", "http://older.test"] };

test("an address that the service names is its own, and it is asked once", async () => {
  let asked = 0;
  const check = asking("https://new.test", async () => {
    asked += 1;
    return { ...me, ...claim };
  });
  const addresses = [
    "https://old.test",
    "http://older.test",
    "https://new.test",
    "https://old.test.evil",
    "https://ol",
  ];
  const own = [];
  for (const address of addresses) own.push(await check(address));
  expect(own).toEqual([true, true, true, false, false]);
  expect(asked).toBe(1);
});

test("T35: what was meant for an https address is not given to a service without TLS that claims it", async () => {
  const read = async () => ({ ...me, ...claim });
  const check = asking("http://new.test", read);
  expect([await check("https://old.test"), await check("http://older.test")]).toEqual([false, true]);
  expect(await asking("http://127.0.0.1:8080", read)("https://old.test")).toBe(true);
});

test("a service that does not answer has no further address", async () => {
  const check = asking("https://new.test", () => Promise.reject(new Error("away")));
  expect(await check("https://old.test")).toBe(false);
});
