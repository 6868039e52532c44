import { describe, expect, test } from "bun:test";
import { createTargets, type TargetOptions, TargetUnknown } from "./targets";

const far = ["8.8.8.8"];
const targets = (options: Partial<TargetOptions> = {}) =>
  createTargets({ allowed: [], baseUrl: "https://holdfast.test", resolve: async () => far, ...options });
/** Rule that a URL breaks, or undefined if it is one that may be sent to. */
const refusal = (url: string, options: Partial<TargetOptions> = {}) =>
  targets(options)
    .find(url)
    .then(
      () => undefined,
      (error: Error) => error.message,
    );

const notPublic = expect.stringContaining("an address on the internet, which ");
const ownAddress = "another address than that of this service";
const lowPort = "an address with the port 80, 443 or one from 1024 on";
const withoutTls = "an address that begins with https://, unless the setting webhook_allowed_targets names its host";

describe("what may be sent to", () => {
  test("is told apart for the connection, TLS and the header", async () => {
    expect(await targets().find("https://Hooks.Example.:8443/a/b?c=%20d#e")).toEqual({
      isTls: true,
      name: "hooks.example",
      host: "hooks.example.:8443",
      port: 8443,
      path: "/a/b?c=%20d",
      addresses: far,
    });
    expect(await targets({ allowed: ["8.8.8.8"] }).find("http://hooks.example")).toMatchObject({
      ...{ isTls: false, host: "hooks.example", port: 80, path: "/" },
    });
    expect(await targets().find("https://[2606:4700::1111]/")).toMatchObject({
      ...{ name: "2606:4700::1111", host: "[2606:4700::1111]", port: 443, addresses: ["2606:4700::1111"] },
    });
  });

  test("has at most 16 addresses, with those of IPv4 first", async () => {
    const six = Array.from({ length: 10 }, (_, at) => `2606:4700::${at + 1}`);
    const four = Array.from({ length: 10 }, (_, at) => `8.8.8.${at + 1}`);
    const { addresses } = await targets({ resolve: async () => [...six, ...four] }).find("https://hooks.example/");
    expect(addresses).toEqual([...four, ...six.slice(0, 6)]);
  });

  test("has a name that leads somewhere", async () => {
    for (const resolve of [async () => [], () => Promise.reject(new Error("No server of names."))]) {
      const found = targets({ resolve }).find("https://hooks.example/");
      await expect(found).rejects.toThrow(new TargetUnknown("The name hooks.example was not found."));
      await expect(found).rejects.toBeInstanceOf(TargetUnknown);
      await expect(found).rejects.toMatchObject({ name: "TargetUnknown" });
    }
  });

  test("is on the internet, with all of its addresses, unless it is allowed", async () => {
    const resolve = async () => ["8.8.8.8", "10.0.0.1"];
    expect(await refusal("https://half.example/", { resolve })).toEqual(notPublic);
    expect(await refusal("https://half.example/", { resolve, allowed: ["10.0.0.0/8"] })).toBeUndefined();
    expect(await refusal("https://half.example/", { resolve, allowed: ["HALF.example."] })).toBeUndefined();
    expect(await refusal("https://half.example/", { resolve, allowed: ["other.example"] })).toEqual(notPublic);
  });

  test("has TLS, unless all of its addresses are allowed", async () => {
    const resolve = async () => ["8.8.8.8", "10.0.0.1"];
    expect(await refusal("http://half.example/", { resolve, allowed: ["10.0.0.0/8"] })).toBe(withoutTls);
    expect(await refusal("http://half.example/", { resolve, allowed: ["10.0.0.0/8", "8.8.8.8"] })).toBeUndefined();
    expect(await refusal("http://half.example/", { resolve, allowed: ["half.example"] })).toBeUndefined();
  });

  test("is nowhere but on this machine if it is called localhost", async () => {
    for (const name of ["localhost", "LOCALHOST.", "a.localhost"]) {
      expect(await refusal(`https://${name}/`)).toEqual(notPublic);
      expect(await refusal(`https://${name}/`, { allowed: ["127.0.0.1"] })).toBeUndefined();
    }
    expect(await refusal("https://notlocalhost/")).toBeUndefined();
  });

  test("is an address without a user, and of a port that speaks HTTP", async () => {
    const user = "an address without a user. Send what the receiver asks for in authorization";
    await expect(targets().find("https://user@a.example/")).rejects.toMatchObject({ name: "TargetRefused" });
    for (const one of ["user", ":secret", "user:secret"]) expect(await refusal(`https://${one}@a.example/`)).toBe(user);
    for (const port of [1, 79, 81, 442, 444, 1023]) expect(await refusal(`https://a.example:${port}/`)).toBe(lowPort);
    for (const port of [80, 443, 1024, 65_535]) expect(await refusal(`https://a.example:${port}/`)).toBeUndefined();
    for (const url of ["ftp://a.example/", "a.example", "https://", ""]) {
      expect(await refusal(url)).toBe("an address that begins with https://");
    }
  });
});

describe("the service itself", () => {
  test("is no target, by none of its names and on neither of the usual ports", async () => {
    const options = {
      baseUrl: "https://holdfast.test",
      baseUrlAliases: ["https://old.test:8443"],
      allowed: ["8.8.8.8"],
    };
    for (const url of [
      "https://holdfast.test",
      "https://HOLDFAST.test.",
      "http://holdfast.test",
      "https://old.test:8443",
    ]) {
      expect(await refusal(url, options)).toBe(ownAddress);
    }
    for (const url of ["https://holdfast.test:8443", "https://old.test", "https://old.test:8444", "https://new.test"]) {
      expect(await refusal(url, options)).toBeUndefined();
    }
  });

  test("is no target at any address of this machine if it listens on this machine alone", async () => {
    const allowed = ["0.0.0.0/0", "::/0"];
    const options = { baseUrl: "http://127.0.0.1:8080", baseUrlAliases: ["https://holdfast.test"], allowed };
    for (const address of ["127.0.0.1", "127.9.9.9", "0.0.0.0", "[::1]", "[::]", "localhost"]) {
      expect(await refusal(`http://${address}:8080`, options)).toBe(ownAddress);
      expect(await refusal(`http://${address}:9090`, options)).toBeUndefined();
    }
    expect(await refusal("http://10.0.0.1:8080", options)).toBeUndefined();
    const elsewhere = { baseUrl: "http://10.0.0.2:8080", allowed };
    expect(await refusal("http://127.0.0.1:8080", elsewhere)).toBeUndefined();
    const resolve = async () => ["8.8.8.8", "127.0.0.1"];
    expect(await refusal("http://half.example:8080", { ...options, resolve })).toBe(ownAddress);
  });
});

test("without TLS, a name that was not found has to be allowed itself", () => {
  const { requireTlsOrNamed } = targets({ allowed: ["named.example", "10.0.0.0/8"] });
  expect(() => requireTlsOrNamed("http://other.example/")).toThrow(withoutTls);
  expect(() => requireTlsOrNamed("http://NAMED.example./")).not.toThrow();
  expect(() => requireTlsOrNamed("https://other.example/")).not.toThrow();
  expect(() => requireTlsOrNamed("https://other.example:22/")).toThrow(lowPort);
});

describe("a new address is written plainly", () => {
  const { requirePlainSpelling } = targets();
  const label = "a".repeat(63);
  const maxLength = `${label}.${label}.${label}.${"a".repeat(61)}`;

  test.each([
    "https://a.example",
    "HTTPS://A.Example/Path?q=1#f",
    "https://a.example:443/",
    "http://a.example:80/",
    "https://a.example:8443/",
    "https://a_b.example./",
    "https://[2606:4700::1111]:8443/",
    `https://${maxLength}/`,
  ])("such as %s", (url) => {
    expect(() => requirePlainSpelling(url)).not.toThrow();
  });

  test.each([
    ["https://a.example/ b", "without spaces"],
    ["https:\\\\a.example/", "without spaces"],
    ["https:a.example/", "with a host, such as"],
    ["https://@a.example/", "without an @ before its host"],
    ["https://8.8/", "whose host is written as 8.0.0.8"],
    ["https://a.example:08443/", "whose host is written as a.example:8443"],
    ["https://a..example/", "with the name of a host"],
    ["https://a-.example/", "with the name of a host"],
    [`https://${maxLength}a/`, "with the name of a host"],
    ["https://a.example:25/", "with the port"],
  ])("and not %s", (url, message) => {
    expect(() => requirePlainSpelling(url)).toThrow(message);
  });
});
