import { z } from "zod";
import { idField, lineField, timestampField, wholeNumberField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { defaultRoles } from "../conventions/permissions";
import type { SortNames } from "../conventions/sort";
import { textLimits } from "../conventions/text-limits";

/** A week. */
const maxOverlapSeconds = 604_800;
const tokenKinds = ["personal", "service"] as const;

export const apiTokenV1 = z.object({
  id: uuid.describe("The token's id, its `jti`."),
  name: z.string().describe("Its name, chosen by its creator."),
  kind: z.enum(tokenKinds).describe("`personal` acts as its user, `service` with a role of its own."),
  organizational_unit_id: uuid.describe("The unit that it acts in when a request names none."),
  user_id: uuid.nullable().describe("Whose personal token it is; null for a service token."),
  role_id: uuid.nullable().describe("The role of a service token; null for a personal one, and where it is gone."),
  created_by: uuid
    .nullable()
    .describe(
      "Id of the user who made it; null where no user did, but the command line or a service token, or the user is gone.",
    ),
  created_timestamp: timestamp.describe("When it was made."),
  expires_timestamp: timestamp.describe("From when on it is refused."),
  revoked_timestamp: timestamp.nullable().describe("When it was revoked, or is going to be after a rotation."),
  base_url: z
    .string()
    .nullable()
    .describe("The address that it was issued for; null if it was made before a service was started."),
  is_foreign: z
    .boolean()
    .describe(
      "Whether that address is neither `base_url` nor one of `base_url_aliases`: then it is refused. Add the address to `base_url_aliases`, or create a new token.",
    ),
  last_used_timestamp: timestamp.nullable().describe("When it was last used, to the minute."),
  last_used_address: z.string().nullable().describe("From which address."),
  last_used_client: z.string().nullable().describe("By which client, as it called itself."),
  _links: itemLinks,
});

/** The response to creating a token: the only one that shows it. */
const newApiTokenV1 = apiTokenV1.extend({
  token: z.string().optional().describe("The token itself, shown this once and never again."),
});

export type ApiTokenV1 = z.infer<typeof apiTokenV1>;

export const apiTokenFilters = {
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "The name, in any letter case." },
  kind: { kind: "word", operators: ["$eq", "$in", "$neq"], description: "`personal` or `service`." },
  user_id: { kind: "id", operators: ["$eq", "$in"], description: "Whose personal token it is." },
  role_id: { kind: "id", operators: ["$eq", "$in"], description: "The role of a service token." },
  organizational_unit_id: { kind: "id", operators: ["$eq", "$in"], description: "The unit that it was made for." },
  expires_timestamp: {
    kind: "timestamp",
    operators: ["$gt", "$gte", "$lt", "$lte"],
    description: "From when on it is refused.",
  },
  is_revoked: {
    kind: "flag",
    operators: ["$eq"],
    description: "Whether it was revoked. A rotated token is not, as long as it overlaps with the new one.",
  },
  id: { kind: "id", operators: ["$eq", "$in"], description: "The token's id." },
} as const satisfies FilterFields;

export type ApiTokenFilterField = keyof typeof apiTokenFilters;

export const apiTokenSorts = {
  names: { name: "the name, in any letter case", expires_timestamp: "from when on it is refused" },
} as const satisfies SortNames;

export type ApiTokenSort = keyof (typeof apiTokenSorts)["names"];

const path = "/api-tokens";
const itemPath = "/api-tokens/{api_token_id}";
const name = lineField(textLimits.name).describe(`Name, 1 to ${textLimits.name} characters.`);
const expires = timestampField().describe("From when on it is refused: by default in 90 days, at most in two years.");

export const apiTokenBodies = {
  create: z
    .object({
      name,
      kind: z.enum(tokenKinds).describe("`personal` acts as the caller, `service` with a role of its own."),
      organizational_unit_id: idField().optional().describe("By default the unit that is acted in."),
      role_id: idField().optional().describe("The role of a service token; it has to be left out for a personal one."),
      expires_timestamp: expires.optional(),
    })
    // A service token, because a program that tries this out has one itself and cannot make a personal one.
    .meta({ examples: [{ name: "nightly-report", kind: "service", role_id: defaultRoles.viewer.id }] }),
  update: z.object({ name: name.optional() }),
  rotate: z.object({
    overlap_seconds: wholeNumberField(0, maxOverlapSeconds)
      .optional()
      .describe(`Seconds for which the old token stays valid, 0 to ${maxOverlapSeconds}; by default 0.`),
    expires_timestamp: expires.optional().describe("By default when the old token would have expired."),
  }),
  renew: z.object({
    overlap_seconds: wholeNumberField(0, maxOverlapSeconds)
      .optional()
      .describe(`Seconds for which the old token stays valid, 0 to ${maxOverlapSeconds}; by default a week.`),
  }),
};

export const apiTokens = {
  name: "api-tokens",
  description:
    "Credentials with which programs and people call the API. A token itself is shown once, when it is made.",
  volatileFields: ["last_used_timestamp", "last_used_address", "last_used_client"] satisfies (keyof ApiTokenV1)[],
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-api-tokens",
          method: "get",
          path,
          permission: "api-tokens:read",
          allowsSelf: true,
          summary: "List the API tokens of the organizational unit and below it, and one's own.",
          example: `
            for await (const token of holdfast.apiTokens.list({ filter: { kind: "service", is_revoked: false } })) {
              console.log(token.name, token.last_used_timestamp);
            }
            const [soonest] = await holdfast.apiTokens.list({ sort: "expires_timestamp" }).first(1);
          `,
          filters: apiTokenFilters,
          sorts: apiTokenSorts,
          item: apiTokenV1,
        },
        {
          kind: "read",
          id: "read-api-token",
          method: "get",
          path: itemPath,
          permission: "api-tokens:read",
          allowsSelf: true,
          summary: "Read one API token, without the token itself.",
          example: "const { expires_timestamp } = await holdfast.apiTokens.read(apiTokenId);",
          item: apiTokenV1,
        },
        {
          kind: "write",
          id: "create-api-token",
          method: "post",
          path,
          permission: "api-tokens:write",
          allowsSelf: true,
          summary: "Create an API token: a personal one for oneself, or a service token with a role.",
          example:
            'const { token } = await holdfast.apiTokens.create({ name: "nightly", kind: "service", role_id: reporterRoleId });',
          body: apiTokenBodies.create,
          status: 201,
          item: newApiTokenV1,
        },
        {
          kind: "write",
          id: "update-api-token",
          method: "patch",
          path: itemPath,
          permission: "api-tokens:write",
          allowsSelf: true,
          summary: "Rename an API token.",
          example: 'await holdfast.apiTokens.update(apiTokenId, { name: "nightly-report" });',
          body: apiTokenBodies.update,
          status: 200,
          item: apiTokenV1,
        },
        {
          kind: "write",
          id: "rotate-api-token",
          method: "post",
          path: `${itemPath}/rotate`,
          permission: "api-tokens:write",
          allowsSelf: true,
          summary: "Rotate a token: create a new one, and end the old one at once or after an overlap.",
          example: "const { token } = await holdfast.apiTokens.rotate(apiTokenId, { overlap_seconds: 3600 });",
          body: apiTokenBodies.rotate,
          status: 201,
          item: newApiTokenV1,
        },
        {
          kind: "write",
          id: "renew-api-token",
          method: "post",
          path: `${path}/renew`,
          permission: null,
          isForServices: true,
          summary: "Renew the service token of the request: create one with the same role and unit that lives as long.",
          example: "const { token } = await holdfast.apiTokens.renew();",
          body: apiTokenBodies.renew,
          status: 201,
          item: newApiTokenV1,
        },
        {
          kind: "write",
          id: "revoke-api-token",
          method: "delete",
          path: itemPath,
          permission: "api-tokens:write",
          allowsSelf: true,
          summary: "Revoke an API token at once.",
          example: "await holdfast.apiTokens.revoke(apiTokenId);",
          status: 204,
        },
      ],
    },
  ],
} as const satisfies Resource;
