import { expect, test } from "bun:test";
import { isNetwork } from "../settings/network";
import { createClientAddress } from "./client-address";

const ask = (proxies: string[], peer: string, forwarded?: string) =>
  createClientAddress(proxies)(peer, new Headers(forwarded === undefined ? {} : { "X-Forwarded-For": forwarded }));

test("without trusted proxies the peer is the client, whatever it says", () => {
  expect(ask([], "203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
  expect(ask([], "127.0.0.1", "198.51.100.1")).toBe("127.0.0.1");
});

test.each([
  ["a proxy names the client", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["a proxy says nothing", "10.0.0.1", undefined, "10.0.0.1"],
  ["what the client wrote itself stands further left", "10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"],
  ["one proxy stands behind another", "10.0.0.1", "1.2.3.4, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
  ["all that are named are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["the peer is no proxy", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
  ["a proxy names no address", "10.0.0.1", "unknown", "10.0.0.1"],
  ["a port is named, too", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["the client speaks IPv6", "10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
  ["the proxy speaks IPv6", "fd00::1", "198.51.100.1", "198.51.100.1"],
  ["the socket is for both", "::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
])("where %s", (_, peer, forwarded, client) => {
  expect(ask(["10.0.0.0/8", "fd00::/16"], peer, forwarded)).toBe(client);
});

test("T37: of very many proxies that are named only the last are looked at", () => {
  const row = (count: number) => `198.51.100.1${", 10.0.0.2".repeat(count)}`;
  expect(ask(["10.0.0.0/8"], "10.0.0.1", row(19))).toBe("198.51.100.1");
  expect(ask(["10.0.0.0/8"], "10.0.0.1", row(20))).toBe("10.0.0.2");
  expect(ask(["10.0.0.0/8"], "10.0.0.1", row(20_000))).toBe("10.0.0.2");
  expect(ask(["10.0.0.0/8"], "10.0.0.1", ",".repeat(200_000))).toBe("10.0.0.1");
});

test.each(["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8", "0.0.0.0/0"])("%p is a network", (text) => {
  expect(isNetwork(text)).toBe(true);
});

test.each(["", "proxy", "10.0.0", "10.0.0.0/33", "10.0.0.0/", "::1/129", "10.0.0.0/8/8", "10.0.0.0/-1"])(
  "%p is none",
  (text) => {
    expect(isNetwork(text)).toBe(false);
  },
);
