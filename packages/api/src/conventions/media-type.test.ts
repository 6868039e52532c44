import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { ApiError } from "./api-error";
import { acceptsPage, chooseVersion, prefersPage, type VersionOffer, versionedMediaType } from "./media-type";

const users: VersionOffer = { vendor: "svc", resource: "users", supported: [2, 1], preferred: 2, withoutAccept: 2 };
const tasks: VersionOffer = { vendor: "svc", resource: "tasks", supported: [1], preferred: 1, withoutAccept: 1 };
const all: VersionOffer = { vendor: "svc", resource: "*", supported: [2, 1], preferred: 1, withoutAccept: 2 };

const v1 = "application/api.svc.users=v1+json";
const v2 = "application/api.svc.users=v2+json";

function refusalOf(accept: string, offer: VersionOffer): ApiError {
  try {
    chooseVersion(accept, offer);
  } catch (error) {
    return z.instanceof(ApiError).parse(error);
  }
  throw new Error(`${accept} was not refused.`);
}

describe("choosing a version", () => {
  test.each<[string, string | null, VersionOffer, number]>([
    ["no header", null, users, 2],
    ["an empty header", "", users, 2],
    ["a header of white space", " \t ", users, 2],
    ["a list of nothing", " , ,", users, 2],
    ["anything", "*/*", users, 2],
    ["any application type", "application/*", users, 2],
    ["plain JSON", "application/json", users, 2],
    ["no header, for everything", null, all, 2],
    ["anything, for everything", "*/*", all, 1],
    ["plain JSON, for everything", "application/json", all, 1],
    ["all resources, for everything", "application/api.svc.*=v2+json", all, 2],
    ["all resources and one, for everything", "application/api.svc.tasks=v1&*=v2+json", all, 2],
    ["the resource", v1, users, 1],
    ["the resource in capitals", "APPLICATION/API.SVC.USERS=V1+JSON", users, 1],
    ["the resource with space around it", `\t ${v1} \t`, users, 1],
    ["all resources", "application/api.svc.*=v1+json", users, 1],
    ["the resource beside another", "application/api.svc.tasks=v1&users=v1+json", users, 1],
    ["the resource before all", "application/api.svc.users=v1&*=v2+json", users, 1],
    ["the resource after all", "application/api.svc.*=v2&users=v1+json", users, 1],
    ["a lower version of one than of all", "application/api.svc.*=v2&tasks=v1+json", tasks, 1],
    ["two, the first better", `${v1};q=0.9, ${v2};q=0.8`, users, 1],
    ["two, the second better", `${v1};q=0.8, ${v2};q=0.9`, users, 2],
    ["two alike", `${v1}, ${v2}`, users, 1],
    ["two alike, the other way round", `${v2}, ${v1}`, users, 2],
    ["one for which a quality is not said", `${v1};q=0.999, ${v2}`, users, 2],
    ["a specific type beside a generic one", `*/*, ${v1}`, users, 1],
    ["a specific type beside all resources", `application/api.svc.*=v2+json, ${v1}`, users, 1],
    ["all resources beside plain JSON", "application/json, application/api.svc.*=v1+json", users, 1],
    ["plain JSON beside any application type, for everything", "application/*, application/json", all, 1],
    ["anything but the usual one", `${v2};q=0, */*`, users, 1],
    ["anything but plain JSON", "application/json;q=0, */*", users, 2],
    ["a better generic type", `*/*, ${v1};q=0.5`, users, 2],
    ["what there is beside what there is not", `application/api.svc.users=v9+json, ${v1};q=0.1`, users, 1],
    ["what there is beside another vendor", `application/api.acme.users=v2+json, ${v1};q=0.1`, users, 1],
    ["a type with other parameters", `${v1}; charset=utf-8; q=1.000`, users, 1],
    ["a quality with space around it", `${v1} ; Q = 0.5 , ${v2} ; q=0.4`, users, 1],
    ["a parameter with a comma in quotes", `${v1};note="a, b;q=0"`, users, 1],
    ["a browser's header", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", users, 2],
  ])("with %s", (_, accept, offer, version) => {
    expect(chooseVersion(accept, offer)).toBe(version);
  });

  test.each<[string, string, VersionOffer]>([
    ["a version that there is not", "application/api.svc.users=v3+json", users],
    ["a version of all that this resource has not", "application/api.svc.*=v2+json", tasks],
    ["a version of all that no resource has", "application/api.svc.*=v3+json", all],
    ["another resource", "application/api.svc.tasks=v1+json", users],
    ["one resource where all are meant", v2, all],
    ["another vendor", "application/api.acme.users=v2+json", users],
    ["a longer vendor", "application/api.svcs.users=v2+json", users],
    ["another type", "text/html", users],
    ["another suffix", "application/api.svc.users=v2+xml", users],
    ["no suffix", "application/api.svc.users=v2", users],
    ["version zero", "application/api.svc.users=v0+json", users],
    ["a version with a leading zero", "application/api.svc.users=v02+json", users],
    ["a version without its letter", "application/api.svc.users=2+json", users],
    ["a version without a number", "application/api.svc.users=v+json", users],
    ["a huge version", `application/api.svc.users=v${"9".repeat(400)}+json`, users],
    ["a resource without a version", "application/api.svc.users+json", users],
    ["a resource named twice", "application/api.svc.users=v1&users=v2+json", users],
    ["an empty pair", "application/api.svc.users=v1&+json", users],
    ["space inside the type", "application/api.svc.users = v1+json", users],
    ["a quality of nothing", `${v2};q=0`, users],
    ["a quality of nothing, at length", `${v2};q=0.000`, users],
    ["every version with a quality of nothing", `${v2};q=0, ${v1};q=0, */*`, users],
    ["a quality over one", `${v2};q=1.001`, users],
    ["a quality with four digits", `${v2};q=0.1234`, users],
    ["a quality that is no number", `${v2};q=high`, users],
    ["a negative quality", `${v2};q=-1`, users],
    ["a prototype's key", "application/api.svc.__proto__=v1+json", users],
  ])("is refused for %s", (_, accept, offer) => {
    expect(refusalOf(accept, offer).status).toBe(406);
  });

  test("is refused with the types that there are", () => {
    expect(refusalOf("text/html", users).body).toEqual({
      errors: [
        {
          error_code: 40601,
          error_message:
            'Nothing here matches the Accept header "text/html". Ask for application/api.svc.users=v2+json or application/api.svc.users=v1+json, or leave Accept out.',
        },
      ],
    });
  });

  test("is refused for a header of more than 1024 characters", () => {
    expect(refusalOf("a".repeat(1025), users).status).toBe(431);
    expect(refusalOf("a".repeat(1024), users).status).toBe(406);
  });

  test("is refused for more than 20 entries", () => {
    expect(refusalOf(Array(21).fill("*/*").join(","), users).status).toBe(400);
    expect(chooseVersion(Array(20).fill("*/*").join(","), users)).toBe(2);
  });

  test("either serves a version that there is or refuses, whatever is sent (T15, T16)", () => {
    const piece = fc.constantFrom(
      "application/",
      "api.",
      "svc.",
      "*",
      "users",
      "=v1",
      "=v2",
      "&",
      "+json",
      ",",
      ";q=0.",
      '"',
    );
    const accept = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(accept, fc.constantFrom(users, tasks, all), (header, offer) => {
        try {
          expect(offer.supported).toContain(chooseVersion(header, offer));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("understands every type that it writes", () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 999_999 }), (vendor, resource, version) => {
        const offer = { vendor, resource, supported: [version], preferred: 0, withoutAccept: 0 };
        expect(chooseVersion(versionedMediaType(vendor, resource, version), offer)).toBe(version);
      }),
    );
  });
});

test("a versioned media type names vendor, resource and version", () => {
  expect(versionedMediaType("svc", "users", 2)).toBe(v2);
  expect(versionedMediaType("acme", "*", 1)).toBe("application/api.acme.*=v1+json");
});

describe("a page", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

  test.each<[string | null, boolean]>([
    [browser, true],
    ["text/html", true],
    ["TEXT/HTML ; charset=utf-8", true],
    ["application/json;q=0.9, text/html", true],
    ["text/html;q=0.2, image/png", true],
    ["text/html, application/api.svc.users=v1+json;q=0.5", true],
    [null, false],
    ["", false],
    ["*/*", false],
    ["text/*", false],
    ["application/json", false],
    ["text/html, */*", false],
    ["text/html, application/json", false],
    ["text/html;q=0.8, */*;q=0.8", false],
    ["text/html;q=0.5, application/api.svc.*=v1+json;q=0.6", false],
    ["text/html;q=0", false],
    ["text/html;q=2", false],
    ['image/png;x=", text/html"', false],
    [`${browser}, ${"x/y, ".repeat(200)}`, false],
  ])("is preferred to what the API serves: %j %p", (accept, isPreferred) => {
    expect(prefersPage(accept, all)).toBe(isPreferred);
  });

  test.each<[string | null, boolean]>([
    [browser, true],
    ["application/json, text/html;q=0.1", true],
    ["*/*", false],
    ["text/html;q=0", false],
    [null, false],
  ])("is accepted: %j %p", (accept, isAccepted) => {
    expect(acceptsPage(accept)).toBe(isAccepted);
  });
});
