import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import {
  type OpenIdPathId,
  type SessionPath,
  type SessionPathId,
  sessionBodies,
  sessionPaths,
} from "@holdfast/api/session/session-paths";
import type { z } from "zod";
import { requireSameOrigin } from "../../access/csrf";
import { sessionHash } from "../../access/sessions";
import { variableOf } from "../../operations/path-variables";
import { acceptInvitation, checkLink, createFirstOwner } from "../../sign-in/follow-link";
import type { OpenId } from "../../sign-in/openid/openid";
import { updateOwnAccount } from "../../sign-in/own-account";
import { changePassword, requireOwnPassword } from "../../sign-in/own-password";
import { endOwnSession, listOwnSessions } from "../../sign-in/own-sessions";
import { presentSession } from "../../sign-in/present-session";
import { recordAccountAction } from "../../sign-in/record-account-action";
import { confirmTotp, enrolTotp, removeTotp } from "../../sign-in/second-factor";
import { type StartedSession, signIn } from "../../sign-in/sign-in";
import { readSignInOptions } from "../../sign-in/sign-in-options";
import type { SignInParts } from "../../sign-in/sign-in-parts";
import { clearCookie, readCookie, writeCookie } from "../cookies";
import type { Endpoint, Exchange, Handler, Method } from "../endpoint";
import { readBody, readNoBody } from "../read-body";
import type { Reply } from "../reply";
import { clientInfoOf, type RequireSessionParts, requireSession } from "../require-session";

/** Parts that signing in over HTTP needs. */
export interface SessionEndpointParts extends SignInParts, RequireSessionParts {
  /** Seconds after which a session ends in any case. */
  sessionLife: number;
  /** Undefined where no OpenID provider is set. */
  openId: OpenId | undefined;
}

type Answer = (exchange: Exchange<SessionEndpointParts>) => Promise<Reply>;

/** Every declared path has an answer here or among the OpenID endpoints: one that is forgotten does not compile. */
const answers: Record<Exclude<SessionPathId, OpenIdPathId>, Answer> = {
  "sign-in": enterWith(sessionBodies["sign-in"], signIn),
  "accept-invitation": enterWith(sessionBodies["accept-invitation"], acceptInvitation),
  "create-first-owner": enterWith(sessionBodies["create-first-owner"], createFirstOwner),

  async "check-link"(exchange) {
    const { parts, request, host } = exchange;
    requireSameOrigin(request.headers, { baseUrl: parts.baseUrl, host });
    const given = await readBody(exchange, sessionBodies["check-link"]);
    return json(200, { is_usable: await checkLink(parts, given, clientInfoOf(exchange)) });
  },

  async "read-sign-in-options"({ parts }) {
    return json(200, await readSignInOptions(parts.database, parts.openId));
  },

  async "read-session"(exchange) {
    const { caller, cookie, expiresAt } = await requireSession(exchange);
    const present = exchange.parts.database.snapshot((db) => presentSession(db, caller.userId, { cookie, expiresAt }));
    return json(200, await present);
  },

  async "sign-out"(exchange) {
    const { parts } = exchange;
    const { caller } = await requireSession(exchange);
    await readNoBody(exchange);
    await parts.database.change(async (db) => {
      await parts.sessions.end(db, caller.tokenId);
      await recordAccountAction(db, parts, clientInfoOf(exchange), { operation: "sign-out", userId: caller.userId });
    });
    return done([clearCookie("session", parts.baseUrl)]);
  },

  async "list-sessions"(exchange) {
    const { parts } = exchange;
    const session = await requireSession(exchange);
    return json(200, await parts.database.snapshot((db) => listOwnSessions(db, parts, session)));
  },

  async "end-session"(exchange) {
    const { parts, variables } = exchange;
    const session = await requireSession(exchange);
    await readNoBody(exchange);
    const id = canonicalId(variableOf(variables, "session_id"));
    const isCurrent = await endOwnSession(parts, session, id, clientInfoOf(exchange));
    return done(isCurrent ? [clearCookie("session", parts.baseUrl)] : []);
  },

  async "sign-out-everywhere"(exchange) {
    const { parts } = exchange;
    const { caller } = await requireSession(exchange);
    await readNoBody(exchange);
    await parts.database.change(async (db) => {
      await parts.sessions.endAll(db, caller.userId);
      await recordAccountAction(db, parts, clientInfoOf(exchange), {
        operation: "sign-out-everywhere",
        userId: caller.userId,
      });
    });
    return done([clearCookie("session", parts.baseUrl)]);
  },

  async "update-account"(exchange) {
    const { parts } = exchange;
    const session = await requireSession(exchange);
    const given = await readBody(exchange, sessionBodies["update-account"]);
    await updateOwnAccount(parts, session, given, clientInfoOf(exchange));
    return json(200, await parts.database.snapshot((db) => presentSession(db, session.caller.userId, session)));
  },

  async "change-password"(exchange) {
    const session = await requireSession(exchange);
    const given = await readBody(exchange, sessionBodies["change-password"]);
    await changePassword(exchange.parts, session, given, clientInfoOf(exchange));
    return done();
  },

  async "enrol-totp"(exchange) {
    const { parts } = exchange;
    const session = await requireSession(exchange);
    const { password } = await readBody(exchange, sessionBodies["enrol-totp"]);
    const client = clientInfoOf(exchange);
    await requireOwnPassword(parts, session, { password, operation: "enrol-totp" }, client);
    const enrolled = parts.database.change(async (db) => {
      const { caller } = await parts.sessions.require(db, session.caller.tokenId);
      return enrolTotp(db, parts, caller.userId, client);
    });
    return json(201, await enrolled);
  },

  async "confirm-totp"(exchange) {
    const { parts } = exchange;
    const { caller } = await requireSession(exchange);
    const { code } = await readBody(exchange, sessionBodies["confirm-totp"]);
    const confirmed = parts.database.change(async (db) => {
      await parts.sessions.require(db, caller.tokenId);
      return confirmTotp(db, parts, caller.userId, code, clientInfoOf(exchange));
    });
    return json(201, await confirmed);
  },

  async "remove-totp"(exchange) {
    const { parts } = exchange;
    const session = await requireSession(exchange);
    const { password } = await readBody(exchange, sessionBodies["remove-totp"]);
    const client = clientInfoOf(exchange);
    await requireOwnPassword(parts, session, { password, operation: "remove-totp" }, client);
    await parts.database.change(async (db) => {
      const { caller } = await parts.sessions.require(db, session.caller.tokenId);
      await removeTotp(db, parts, caller.userId, client);
    });
    return done();
  },
};

const methods: Record<SessionPath["method"], Method> = { get: "GET", post: "POST", patch: "PATCH", delete: "DELETE" };

/** Endpoints for people who sign in: each path with its own entry, made of its declaration. */
export const sessionEndpoints: readonly Endpoint<SessionEndpointParts>[] = [
  ...Map.groupBy(
    sessionPaths.flatMap(({ id, path, method }) => (isAnswered(id) ? [{ id, path, method }] : [])),
    ({ path }) => path,
  ),
].map(([path, group]) => ({
  path: path.replace(/\{(\w+)\}/g, ":$1"),
  methods: Object.fromEntries(group.map(({ id, method }) => [methods[method], handlerOf(id, method !== "get")])),
}));

function isAnswered(id: SessionPathId): id is keyof typeof answers {
  return id in answers;
}

function handlerOf(id: keyof typeof answers, isLogged: boolean): Handler<SessionEndpointParts> {
  return {
    name: id,
    isLogged,
    answer(exchange) {
      const faults: Fault[] = [];
      parseParameters(exchange.address.query, [], faults);
      refuseAll(faults);
      return answers[id](exchange);
    },
  };
}

/** Answers a request that signs a person in. The previous session of the browser ends. */
function enterWith<Body extends z.ZodObject>(
  body: Body,
  enter: (parts: SignInParts, given: z.infer<Body>, client: ReturnType<typeof clientInfoOf>) => Promise<StartedSession>,
): Answer {
  return async (exchange) => {
    const { parts, request, host } = exchange;
    requireSameOrigin(request.headers, { baseUrl: parts.baseUrl, host });
    const given = await readBody(exchange, body);
    const former = readCookie(request.headers, "session", parts.baseUrl);
    const { cookie, view } = await enter(parts, given, clientInfoOf(exchange));
    if (former !== undefined) await parts.database.change((db) => parts.sessions.end(db, sessionHash(former)));
    return json(201, view, [writeCookie("session", parts.baseUrl, cookie, parts.sessionLife)]);
  };
}

function json(status: number, body: object, cookies: readonly string[] = []): Reply {
  return {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
    body: JSON.stringify(body),
    cookies,
  };
}

function done(cookies: readonly string[] = []): Reply {
  return { status: 204, headers: { "Cache-Control": "no-store" }, body: null, cookies };
}
