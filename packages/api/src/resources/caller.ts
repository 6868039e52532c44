import { z } from "zod";
import { itemLinks } from "../conventions/hal";
import { emailAddress, timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";

export const callerV1 = z.object({
  kind: z
    .enum(["session", "personal", "service"])
    .describe("How the request was made: by a person who has signed in, with a personal or with a service token."),
  user: z
    .object({
      id: uuid.describe("The user's id."),
      email: emailAddress.describe("The e-mail address."),
      full_name: z.string().describe("The name."),
    })
    .nullable()
    .describe("The person who calls; null for a service."),
  token: z
    .object({
      id: uuid.describe("The token's id."),
      name: z.string().describe("What it is called."),
      expires_timestamp: timestamp.describe("Until when it is good."),
    })
    .nullable()
    .describe("The API token; null for a session."),
  organizational_unit: z
    .object({ id: uuid.describe("The unit's id."), name: z.string().describe("What it is called.") })
    .describe("The organizational unit of this request."),
  permissions: z.array(z.string()).describe("What the caller may do in that unit, sorted."),
  base_url: z.string().describe("The address of the service, which links and new tokens have."),
  base_url_aliases: z
    .array(z.string())
    .describe("Further addresses of the service: what is meant for one of them is meant for it."),
  _links: itemLinks,
});

export type CallerV1 = z.infer<typeof callerV1>;

export const caller = {
  name: "caller",
  description: "Who makes the request, and what they may do.",
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "read",
          id: "read-caller",
          method: "get",
          path: "/caller",
          permission: null,
          summary: "Read who is calling, and what they may do in the organizational unit of the request.",
          example: "const { kind, permissions } = await holdfast.caller.read();",
          item: callerV1,
        },
      ],
    },
  ],
} as const satisfies Resource;
