import { z } from "zod";
import {
  emailField,
  lineField,
  newPasswordField,
  passwordField,
  textField,
  timeZoneField,
} from "../conventions/body-fields";
import { emailAddress, timestamp, uuid } from "../conventions/item-fields";
import { listEnvelope } from "../conventions/paging";
import { textLimits } from "../conventions/text-limits";

/** A path for people who sign in. It stands outside the resources: tokens are of no use there. */
export interface SessionPath {
  id: string;
  method: "get" | "post" | "patch" | "delete";
  /** A path, with variables in braces where it has any. */
  path: string;
  summary: string;
  /** Query parameters that it takes, with what they mean. */
  parameters?: Readonly<Record<string, z.ZodType>>;
  body?: z.ZodObject;
  /** True if the path needs a session. */
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
  "check-link": z.object({
    secret,
    purpose: z.enum(["invitation", "first_owner"]).describe("What the link is for."),
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
  "update-account": z.object({
    full_name: lineField(textLimits.name).optional().describe(`Full name, 1 to ${textLimits.name} characters.`),
    time_zone: timeZoneField().optional(),
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
    time_zone: z.string().describe("The zone of the times in mail to the person."),
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

const ownSession = z.object({
  id: uuid.describe("The session's id. It opens nothing."),
  created_timestamp: timestamp.describe("When the person signed in."),
  last_used_timestamp: timestamp.describe("When it was last used, to the minute."),
  address: z.string().nullable().describe("The network address that it was last used from."),
  client: z.string().nullable().describe("The browser or program that last used it, as it called itself."),
  is_current: z.boolean().describe("Whether it is the session of this very request."),
});

export type OwnSession = z.infer<typeof ownSession>;

const ownSessions = listEnvelope(ownSession);

const signInOptions = z.object({
  password: z.boolean().describe("Whether people can sign in with an e-mail address and a password."),
  openid: z
    .object({
      name: z.string().describe("What people know the OpenID provider as."),
      href: z.string().describe("Where signing in there begins: a path below the base URL."),
    })
    .nullable()
    .describe("The OpenID provider that people can sign in with; null where none is set."),
  has_owner: z
    .boolean()
    .describe("Whether there is an owner. Until then the service prints a link for the first one when it starts."),
});

const linkCheck = z.object({
  is_usable: z.boolean().describe("Whether it can be used. False if it was used, has expired or does not exist."),
});

const declared = [
  {
    id: "read-sign-in-options",
    method: "get",
    path: "/sign-in-options",
    summary: "Read how people can sign in here.",
    needsSession: false,
    status: 200,
    answer: signInOptions,
    refusals: [503],
  },
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
    id: "list-sessions",
    method: "get",
    path: "/sessions",
    summary: "List the sessions of the person who is signed in, the last used first: at most 1,000, on one page.",
    needsSession: true,
    status: 200,
    answer: ownSessions,
    refusals: [],
  },
  {
    id: "end-session",
    method: "delete",
    path: "/sessions/{session_id}",
    summary: "End one of the sessions of the person who is signed in.",
    needsSession: true,
    status: 204,
    refusals: [404, 422],
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
    id: "check-link",
    method: "post",
    path: "/link-check",
    summary: "Read whether a one-time link can be used. That does not use it up.",
    body: sessionBodies["check-link"],
    needsSession: false,
    status: 200,
    answer: linkCheck,
    refusals: [403, 415, 422, 503],
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
    id: "update-account",
    method: "patch",
    path: "/session/account",
    summary: "Change one's own name or time zone.",
    body: sessionBodies["update-account"],
    needsSession: true,
    status: 200,
    answer: sessionView,
    refusals: [415, 422],
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
    summary:
      "Be sent to the OpenID provider to sign in there. Where `text/html` is accepted, a failure leads to `/console/sign-in?error=<error_code>`.",
    parameters: {
      return_to: z
        .string()
        .max(textLimits.returnTo)
        .describe("Where to go once signed in: a path below `/console/`, with its query. Else to the base URL."),
    },
    needsSession: false,
    status: 303,
    refusals: [404, 503],
  },
  {
    id: "finish-openid-sign-in",
    method: "get",
    path: "/sign-in/oidc/callback",
    summary:
      "Where the OpenID provider sends people back to. The answer sets the session cookie. Where `text/html` is accepted, a failure leads to `/console/sign-in?error=<error_code>`.",
    needsSession: false,
    status: 303,
    refusals: [401, 404, 503],
  },
] as const satisfies readonly SessionPath[];

/** Each of the paths, as it is declared. */
type DeclaredPath = (typeof declared)[number];

/** The ids of the paths. */
export type SessionPathId = DeclaredPath["id"];

/** Request body of a path. */
export type SessionBodyOf<Id extends keyof typeof sessionBodies> = z.input<(typeof sessionBodies)[Id]>;

/** Response body of a path; undefined if it has none. */
export type SessionAnswerOf<Id extends SessionPathId> =
  Extract<DeclaredPath, { id: Id }> extends { answer: infer Answer extends z.ZodType } ? z.infer<Answer> : undefined;

/** Those of them that lead to an OpenID provider and back. */
export type OpenIdPathId = Extract<SessionPathId, `${string}-openid-${string}`>;

/** The statuses that a path can refuse with, lowest first, beyond those of a request that cannot be read. */
export function refusalsOf({ needsSession, refusals }: SessionPath): number[] {
  const ofSession = needsSession ? [401, 403, 429, 503] : [];
  return [...new Set([...ofSession, ...refusals])].sort((a, b) => a - b);
}

export const sessionPaths: readonly (SessionPath & { id: SessionPathId })[] = declared;
