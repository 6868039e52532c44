import { z } from "zod";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";

export const keyV1 = z.object({
  id: z.string().describe("The key's id, the `kid` of the tokens that it signs."),
  is_signing: z.boolean().describe("Whether new tokens are signed with it."),
  public_key: z.looseObject({}).describe("The public half, a JSON Web Key."),
  created_timestamp: timestamp.describe("When it was made."),
  replaced_timestamp: timestamp.nullable().describe("When another key took over signing."),
  expires_timestamp: timestamp.nullable().describe("When the last token that it signed dies; null while it signs."),
  _links: itemLinks,
});

export type KeyV1 = z.infer<typeof keyV1>;

export const keyFilters = {} as const satisfies FilterFields;

const path = "/keys";
const itemPath = "/keys/{key_id}";

export const keys = {
  name: "keys",
  description: "The keys that tokens are signed with.",
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-keys",
          method: "get",
          path,
          permission: "keys:read",
          requiresRoot: true,
          summary: "List the signing keys, the one that signs first.",
          example: "const [signing] = await holdfast.keys.list().first(1);",
          filters: keyFilters,
          item: keyV1,
        },
        {
          kind: "read",
          id: "read-key",
          method: "get",
          path: itemPath,
          permission: "keys:read",
          requiresRoot: true,
          summary: "Read one signing key, its public half.",
          example: "const { expires_timestamp } = await holdfast.keys.read(keyId);",
          item: keyV1,
        },
        {
          kind: "write",
          id: "rotate-key",
          method: "post",
          path,
          permission: "keys:write",
          requiresRoot: true,
          summary: "Sign with a new key from now on. Tokens that exist stay good.",
          example: "await holdfast.keys.rotate();",
          status: 201,
          item: keyV1,
        },
        {
          kind: "write",
          id: "retire-key",
          method: "delete",
          path: itemPath,
          permission: "keys:write",
          requiresRoot: true,
          summary: "Retire a key: every token that it signed is refused at once.",
          example: "await holdfast.keys.retire(oldKeyId);",
          status: 204,
        },
      ],
    },
  ],
} as const satisfies Resource;
