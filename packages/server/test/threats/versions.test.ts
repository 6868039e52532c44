import { afterAll, expect, test } from "bun:test";
import { ApiError } from "@holdfast/api/conventions/api-error";
import { chooseVersion, type VersionOffer } from "@holdfast/api/conventions/media-type";
import { listEnvelope } from "@holdfast/api/conventions/paging";
import { discoveryIndex } from "@holdfast/api/resources/discovery";
import { taskV1 } from "@holdfast/api/resources/tasks";
import { userV1, userV2 } from "@holdfast/api/resources/users";
import fc from "fast-check";
import { z } from "zod";
import { expectRefusal } from "../error-envelope";
import { openPlane } from "../harness";

const plane = await openPlane();
afterAll(plane.close);
const { token } = await plane.serviceToken("viewer");
await plane.addTasks([{}, {}]);
await plane.addUser({ roles: [{ role: "viewer" }] });

const offer: VersionOffer = { vendor: "svc", resource: "users", supported: [2, 1], preferred: 2, withoutAccept: 2 };

const pieces = fc.constantFrom(
  ..."application/ api. svc . users tasks * = v1 v2 v3 v0 v01 v999999 V2 & +json + json ; q=0 q=1 q=0.5 q=0.001 q=2 q=x Q=1 q , , */* text/html application/json application/* application/api.svc.users=v1+json application/api.svc.*=v1+json application/api.svc.users=v2+json".split(
    " ",
  ),
  " ",
  "\t",
  '"',
  "\\",
  "é",
  "\u0000",
);
const accepts = fc.oneof(
  fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ maxLength: 1_200, unit: fc.constantFrom(",", ";", "=", '"', "\\", "q", "a", " ") }),
);

test("T16: whatever Accept says, a supported version is chosen or the request is refused with 4xx", () => {
  const seen = { chosen: 0, refused: 0 };
  fc.assert(
    fc.property(accepts, (accept) => {
      try {
        expect(offer.supported).toContain(chooseVersion(accept, offer));
        seen.chosen += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect(error instanceof ApiError && [400, 406, 431].includes(error.status)).toBe(true);
        seen.refused += 1;
      }
    }),
    { numRuns: 20_000 },
  );
  expect(seen.chosen).toBeGreaterThan(500);
  expect(seen.refused).toBeGreaterThan(5_000);
});

const strict = <Item extends z.ZodObject>(item: Item) => listEnvelope(z.strictObject(item.shape)).strict();
const bodies = new Map<string, z.ZodType>([
  ["application/api.svc.*=v2+json", discoveryIndex],
  ["application/api.svc.*=v1+json", discoveryIndex],
  ["application/api.svc.users=v2+json", strict(userV2)],
  ["application/api.svc.users=v1+json", strict(userV1)],
  ["application/api.svc.tasks=v1+json", strict(taskV1)],
]);
const sendable = fc.array(
  pieces.filter((piece) => /^[\x20-\x7e]+$/.test(piece)),
  { maxLength: 20 },
);

test("T16: a body is always what its Content-Type says, down to the version", async () => {
  const served = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/", "/users", "/tasks"), sendable, async (path, parts) => {
      const answer = await plane.ask(path, { token, accept: parts.join("") });
      const type = answer.headers.get("content-type") ?? "";
      bodies.get(type)?.parse(answer.body);
      expect([200, 400, 406, 431]).toContain(answer.status);
      expect(bodies.has(type)).toBe(answer.status === 200);
      expect(answer.headers.get("vary")).toBe(
        "Accept, Accept-Encoding, Authorization, x-svc-organizationalunit-context",
      );
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
      served.add(type);
    }),
    { numRuns: 3_000 },
  );
  expect([...served].sort()).toEqual([...bodies.keys(), "application/json"].sort());
});

test("T16: a refused version tells which there are", async () => {
  const answer = await plane.ask("/users", { token, accept: "application/api.svc.users=v3+json" });
  expectRefusal(answer);
  expect(answer.status).toBe(406);
  expect(answer.text).toContain("application/api.svc.users=v2+json or application/api.svc.users=v1+json");
});
