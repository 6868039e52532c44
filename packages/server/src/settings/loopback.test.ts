import { expect, test } from "bun:test";
import { isLoopback } from "./loopback";

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
