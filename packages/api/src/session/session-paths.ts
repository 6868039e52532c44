import { z } from "zod";
import { emailField, lineField, newPasswordField, passwordField, textField } from "../conventions/body-fields";
import { emailAddress, timestamp, uuid } from "../conventions/item-fields";
import { textLimits } from "../conventions/text-limits";

/** A path for people who sign in. It stands outside the resources: tokens are of no use there. */
export interface SessionPath {
  id: string;
  method: "get" | "post" | "delete";
  path: string;
  summary: string;
  body?: z.ZodObject;
  /** Whether the path needs a session. */
  needsSession: boolean;
  /** The status of success. */
  status: 200 | 201 | 204 | 303;
  answer?: z.ZodObject;
  /** The statuses of its refusals, beyond those of a request that cannot be read or that no session stands behind. */
  refusals: readonly number[];
}

const newPassword = newPasswordField().describe(
  `The new password: ${textLimits.passwordCharacters} characters or more, and no common one.`,
);
const ownPassword = passwordField().describe("The password of the person who is signed in.");
const secret = textField(textLimits.secret).describe("What stands behind the # of the link.");

/** The bodies of requests, by the id of the path. */
export const sessionBodies = {
  "sign-in": z.object({
    email: emailField().describe("E-mail address."),
    password: passwordField().describe("Password."),
    code: textField(textLimits.secret)
      .optional()
      .describe("One-time code or recovery code, where the person has turned that on."),
  }),
  "accept-invitation": z.object({
    secret,
    password: newPassword,
    full_name: lineField(textLimits.name).optional().describe("Full name; without it the one that is known stays."),
  }),
  "create-first-owner": z.object({
    secret,
    email: emailField().describe("E-mail address, to sign in with."),
    full_name: lineField(textLimits.name).describe("Full name."),
    password: newPassword,
  }),
  "change-password": z.object({
    current_password: passwordField().describe("The password until now."),
    password: newPassword,
  }),
  "enrol-totp": z.object({ password: ownPassword }),
  "confirm-totp": z.object({
    code: textField(textLimits.secret).describe("A code that the authenticator app shows."),
  }),
  "remove-totp": z.object({ password: ownPassword }),
};

/** Who is signed in, and with which rights. */
export const sessionView = z.object({
  user: z.object({
    id: uuid,
    email: emailAddress,
    full_name: z.string(),
    has_password: z.boolean().describe("Whether the person can sign in with a password."),
    has_totp: z.boolean().describe("Whether a one-time code is asked for beside the password."),
  }),
  organizational_unit_id: uuid
    .nullable()
    .describe("Where a request acts that names no unit: the topmost in which the person holds a role."),
  organizational_units: z
    .array(
      z.object({
        organizational_unit_id: uuid,
        name: z.string(),
        roles: z.array(z.object({ role_id: uuid, name: z.string() })),
      }),
    )
    .describe("The units in which the person holds a role, and which."),
  csrf_token: z.string().describe("To be sent in X-CSRF-Token with everything but GET."),
  expires_timestamp: timestamp.describe("When the person has to sign in again in any case."),
});

const totpView = z.object({
  secret: z.string().describe("In base32, for typing into an authenticator app."),
  otpauth_uri: z.string().describe("The same for a QR code."),
});
const recoveryView = z.object({
  recovery_codes: z.array(z.string()).describe("Each is good once in place of a one-time code. They are shown once."),
});

export type SessionView = z.infer<typeof sessionView>;

const declared = [
  {
    id: "sign-in",
    method: "post",
    path: "/session",
    summary: "Sign in with an e-mail address and a password. The answer sets the session cookie.",
    body: sessionBodies["sign-in"],
    needsSession: false,
    status: 201,
    answer: sessionView,
    refusals: [401, 403, 415, 422, 429, 503],
  },
  {
    id: "read-session",
    method: "get",
    path: "/session",
    summary: "Read who is signed in.",
    needsSession: true,
    status: 200,
    answer: sessionView,
    refusals: [],
  },
  {
    id: "sign-out",
    method: "delete",
    path: "/session",
    summary: "Sign out.",
    needsSession: true,
    status: 204,
    refusals: [422],
  },
  {
    id: "sign-out-everywhere",
    method: "delete",
    path: "/sessions",
    summary: "End all sessions of the person who is signed in.",
    needsSession: true,
    status: 204,
    refusals: [422],
  },
  {
    id: "accept-invitation",
    method: "post",
    path: "/invitation",
    summary: "Accept an invitation: set a password, and be signed in.",
    body: sessionBodies["accept-invitation"],
    needsSession: false,
    status: 201,
    answer: sessionView,
    refusals: [401, 403, 415, 422, 503],
  },
  {
    id: "create-first-owner",
    method: "post",
    path: "/first-owner",
    summary: "Become the first owner, with the link that the service printed when it was first started.",
    body: sessionBodies["create-first-owner"],
    needsSession: false,
    status: 201,
    answer: sessionView,
    refusals: [403, 409, 415, 422, 503],
  },
  {
    id: "change-password",
    method: "post",
    path: "/session/password",
    summary: "Change one's own password. All other sessions end.",
    body: sessionBodies["change-password"],
    needsSession: true,
    status: 204,
    refusals: [409, 415, 422],
  },
  {
    id: "enrol-totp",
    method: "post",
    path: "/session/totp",
    summary: "Get a secret for an authenticator app. It counts only once a code of it was confirmed.",
    body: sessionBodies["enrol-totp"],
    needsSession: true,
    status: 201,
    answer: totpView,
    refusals: [409, 415, 422],
  },
  {
    id: "confirm-totp",
    method: "post",
    path: "/session/totp/confirm",
    summary: "Turn one-time codes on with a first code, and get recovery codes.",
    body: sessionBodies["confirm-totp"],
    needsSession: true,
    status: 201,
    answer: recoveryView,
    refusals: [409, 415, 422],
  },
  {
    id: "remove-totp",
    method: "delete",
    path: "/session/totp",
    summary: "Turn one-time codes off.",
    body: sessionBodies["remove-totp"],
    needsSession: true,
    status: 204,
    refusals: [415, 422],
  },
  {
    id: "begin-openid-sign-in",
    method: "get",
    path: "/sign-in/oidc",
    summary: "Be sent to the OpenID provider to sign in there.",
    needsSession: false,
    status: 303,
    refusals: [404, 503],
  },
  {
    id: "finish-openid-sign-in",
    method: "get",
    path: "/sign-in/oidc/callback",
    summary: "Where the OpenID provider sends people back to. The answer sets the session cookie.",
    needsSession: false,
    status: 303,
    refusals: [401, 404, 503],
  },
] as const satisfies readonly SessionPath[];

/** The ids of the paths. */
export type SessionPathId = (typeof declared)[number]["id"];

/** Those of them that lead to an OpenID provider and back. */
export type OpenIdPathId = Extract<SessionPathId, `${string}-openid-${string}`>;

/** The statuses that a path can refuse with, lowest first, beyond those of a request that cannot be read. */
export function refusalsOf({ needsSession, refusals }: SessionPath): number[] {
  const ofSession = needsSession ? [401, 403, 429, 503] : [];
  return [...new Set([...ofSession, ...refusals])].sort((a, b) => a - b);
}

export const sessionPaths: readonly (SessionPath & { id: SessionPathId })[] = declared;
