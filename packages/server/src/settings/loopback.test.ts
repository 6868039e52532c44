import { expect, test } from "bun:test";
import { isLoopback, isUnspecified } from "./loopback";

test("this machine is what nothing else reaches over a network", () => {
  const here = ["127.0.0.1", "127.255.0.9", "localhost", "LocalHost", "::1", "[::1]"];
  const elsewhere = [
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "backup.example.org",
    "127.0.0.1.example.org",
    "localhost.example",
    "",
  ];
  expect(here.map(isLoopback)).toEqual(here.map(() => true));
  expect(elsewhere.map(isLoopback)).toEqual(elsewhere.map(() => false));
});

test("all addresses of a machine are recognised in every spelling", () => {
  const all = ["0.0.0.0", "::", "[::]", "0", "0x0", "0.0", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0"];
  const one = ["127.0.0.1", "10.0.0.0", "::1", "localhost", "0.example.org", "0.0.0.1", "", "a b"];
  expect(all.map(isUnspecified)).toEqual(all.map(() => true));
  expect(one.map(isUnspecified)).toEqual(one.map(() => false));
});
