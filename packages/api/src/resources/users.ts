import { z } from "zod";
import { emailField, idField, lineField, listField, timeZoneField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { emailAddress, timestamp, uuid } from "../conventions/item-fields";
import type { Resource, WriteOperation } from "../conventions/operation";
import { listLimits, textLimits } from "../conventions/text-limits";

export const userV1 = z.object({
  id: uuid.describe("The user's id."),
  email: emailAddress.describe("E-mail address."),
  full_name: z.string().describe("Full name."),
  is_confirmed: z.boolean().describe("Whether the person has accepted the invitation."),
  is_enabled: z.boolean().describe("Whether the person may use the service."),
});

export const userV2 = userV1.extend({
  access_control_configuration: z
    .array(z.object({ role_id: uuid, organizational_unit_ids: z.array(uuid) }))
    .describe("The roles that the user holds, and where; only units in which the caller may see users."),
  organizational_unit_count: z.int().nonnegative().describe("In how many of those units the user holds a role."),
  time_zone: z.string().describe("The zone of the times in mail to the user, a name of the IANA database."),
  inviter: uuid.nullable().describe("Id of the user who sent the invitation."),
  last_activity_timestamp: timestamp.nullable().describe("When the user last made a request."),
  created_timestamp: timestamp.describe("When the user was created."),
  _links: itemLinks,
});

export type UserV1 = z.infer<typeof userV1>;
export type UserV2 = z.infer<typeof userV2>;

export const userFilters = {
  name: {
    kind: "name",
    operators: ["$contains", "$begins_with", "$eq"],
    description: "The full name or the e-mail address, in any letter case.",
  },
  role_id: { kind: "id", operators: ["$eq", "$in"], description: "A role that the user holds." },
  organizational_unit_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "A unit in which, not merely above or below which, the user holds a role.",
  },
  id: { kind: "id", operators: ["$eq", "$in"], description: "The user's id." },
} as const satisfies FilterFields;

export type UserFilterField = keyof typeof userFilters;

const listUsers = {
  kind: "list",
  id: "list-users",
  method: "get",
  path: "/users",
  permission: "users:read",
  summary: "List the users who hold a role in the organizational unit or below it.",
  example:
    'for await (const user of holdfast.users.list({ filter: { name: { $contains: "ada" } } })) console.log(user.email);',
  filters: userFilters,
} as const;

const readUser = {
  kind: "read",
  id: "read-user",
  method: "get",
  path: "/users/{user_id}",
  permission: "users:read",
  summary: "Read one user.",
  example: "const { full_name } = await holdfast.users.read(userId);",
} as const;

/** The response to an invitation: the only one that shows the link. */
export const invitedUserV2 = userV2.extend({
  invitation_link: z.string().optional().describe("Where the person sets a password: good once, for seven days."),
});

const id = idField();
const grants = listField(
  z.strictObject({ role_id: id, organizational_unit_ids: listField(id, listLimits.grants) }),
  listLimits.grants,
).describe(
  "The roles that the user is to hold, and where. Units in which the caller may not manage users stay as they are.",
);
const fullName = lineField(textLimits.name).describe(`Full name, 1 to ${textLimits.name} characters.`);

export const userBodies = {
  create: z.object({
    email: emailField().describe("E-mail address."),
    full_name: fullName,
    access_control_configuration: grants.optional(),
  }),
  update: z.object({
    full_name: fullName.optional(),
    time_zone: timeZoneField().optional(),
    is_enabled: z.boolean().optional().describe("Whether the person may use the service."),
    access_control_configuration: grants.optional(),
  }),
};

const writeUsers = [
  {
    kind: "write",
    id: "create-user",
    method: "post",
    path: "/users",
    permission: "users:write",
    summary: "Invite a user. The response has a link with which the person sets a password.",
    example:
      'const { invitation_link } = await holdfast.users.create({ email: "ada@example.com", full_name: "Ada Lovelace" });',
    body: userBodies.create,
    status: 201,
    item: invitedUserV2,
  },
  {
    kind: "write",
    id: "invite-user",
    method: "post",
    path: "/users/{user_id}/invitation",
    permission: "users:write",
    summary: "Create a new invitation link for a user who has not confirmed yet; older ones become void.",
    example: "const { invitation_link } = await holdfast.users.invite(invitedUserId);",
    status: 201,
    item: invitedUserV2,
  },
  {
    kind: "write",
    id: "update-user",
    method: "patch",
    path: "/users/{user_id}",
    permission: "users:write",
    summary: "Change a user's name, time zone or roles, or enable or disable the user.",
    example: "await holdfast.users.update(userId, { is_enabled: false });",
    body: userBodies.update,
    status: 200,
    item: userV2,
  },
  {
    kind: "write",
    id: "delete-user",
    method: "delete",
    path: "/users/{user_id}",
    permission: "users:write",
    summary: "Delete a user, with their sessions and personal tokens.",
    example: "await holdfast.users.delete(invitedUserId);",
    status: 204,
  },
] as const satisfies readonly WriteOperation[];

export const users = {
  name: "users",
  description: "People, and the roles that they hold in organizational units.",
  volatileFields: ["last_activity_timestamp"] satisfies (keyof UserV2)[],
  defaultVersion: 2,
  versions: [
    {
      version: 2,
      operations: [{ ...listUsers, item: userV2 }, { ...readUser, item: userV2 }, ...writeUsers],
    },
    {
      version: 1,
      operations: [
        { ...listUsers, item: userV1 },
        { ...readUser, item: userV1 },
      ],
    },
  ],
} as const satisfies Resource;
