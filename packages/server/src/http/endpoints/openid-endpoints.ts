import { refuse } from "@holdfast/api/conventions/api-error";
import { type OpenIdPathId, type SessionPathId, sessionPaths } from "@holdfast/api/session/session-paths";
import { z } from "zod";
import type { OpenId } from "../../sign-in/openid/openid";
import { type BegunSignIn, signInWithOpenId } from "../../sign-in/openid/openid-sign-in";
import { clearCookie, readCookie, writeCookie } from "../cookies";
import type { Endpoint, Exchange, Handler } from "../endpoint";
import type { Reply } from "../reply";
import { clientInfoOf } from "../require-session";

/** How long signing in at the provider may take, in seconds. */
const patience = 600;
const purpose = "openid sign-in";
const pendingShape = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  // Not in those that were begun before an upgrade.
  beganHere: z.boolean().default(false),
  at: z.number(),
});

const answers: Record<OpenIdPathId, Handler["answer"]> = {
  async "begin-openid-sign-in"(exchange) {
    const { parts, request } = exchange;
    const { address, pending } = await requireOpenId(exchange).begin();
    const begun = { ...pending, beganHere: isFromHere(request.headers), at: parts.clock() };
    const sealed = parts.sealer.seal(JSON.stringify(begun), purpose);
    return redirect(address, [writeCookie("sign_in", parts.baseUrl, sealed, patience)]);
  },

  async "finish-openid-sign-in"(exchange) {
    const { parts, request, address } = exchange;
    const openId = requireOpenId(exchange);
    const returning = {
      query: address.query,
      pending: readPending(exchange),
      former: readCookie(request.headers, "session", parts.baseUrl),
    };
    const { cookie } = await signInWithOpenId(parts, openId, returning, clientInfoOf(exchange));
    return redirect(`${parts.baseUrl}/`, [
      writeCookie("session", parts.baseUrl, cookie, parts.sessionLife),
      clearCookie("sign_in", parts.baseUrl),
    ]);
  },
};

/** Where people go to sign in at the OpenID provider, and where it sends them back to. */
export const openIdEndpoints: readonly Endpoint[] = sessionPaths.flatMap(({ id, path }) =>
  isAnswered(id) ? [{ path, methods: { GET: { name: id, answer: answers[id] } } }] : [],
);

function isAnswered(id: SessionPathId): id is OpenIdPathId {
  return id in answers;
}

function requireOpenId({ parts }: Exchange): OpenId {
  if (parts.openId) return parts.openId;
  throw refuse("pathUnknown", "No OpenID provider is set here. Sign in with a password.");
}

/** Whether a page of ours or the person at the browser asks for this. Over plain http no browser says who does. */
function isFromHere(headers: Headers): boolean {
  return ["same-origin", "none"].includes(headers.get("sec-fetch-site") ?? "none");
}

function readPending({ parts, request }: Exchange): BegunSignIn | undefined {
  const sealed = readCookie(request.headers, "sign_in", parts.baseUrl);
  const opened = sealed === undefined ? undefined : parts.sealer.open(sealed, purpose);
  const pending = opened === undefined ? undefined : pendingShape.parse(JSON.parse(opened));
  return pending && pending.at > parts.clock() - patience * 1000 ? pending : undefined;
}

function redirect(address: string, cookies: readonly string[]): Reply {
  return { status: 303, headers: { Location: address, "Cache-Control": "no-store" }, body: null, cookies };
}
