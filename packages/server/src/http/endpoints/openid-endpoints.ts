import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { errorCatalogue } from "@holdfast/api/conventions/error-catalogue";
import { acceptsPage } from "@holdfast/api/conventions/media-type";
import { type OpenIdPathId, type SessionPathId, sessionPaths } from "@holdfast/api/session/session-paths";
import { z } from "zod";
import type { OpenId } from "../../sign-in/openid/openid";
import { type BegunSignIn, signInWithOpenId } from "../../sign-in/openid/openid-sign-in";
import { clearCookie, readCookie, writeCookie } from "../cookies";
import type { Endpoint, Exchange } from "../endpoint";
import type { CountCallerParts } from "../identify-request";
import type { Reply } from "../reply";
import { clientInfoOf } from "../require-session";
import { readReturnAddress } from "../return-address";
import type { SessionEndpointParts } from "./session-endpoints";

/** Parts that signing in at a provider needs. */
type OpenIdParts = Omit<SessionEndpointParts, keyof CountCallerParts>;
type Answer = (exchange: Exchange<OpenIdParts>) => Promise<Reply>;

/** Timeout of signing in at the provider, in seconds. */
const timeoutSeconds = 600;
const purpose = "openid sign-in";
const pendingShape = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  // Not in those that were begun before an upgrade.
  beganHere: z.boolean().default(false),
  returnTo: z.string().optional(),
  at: z.number(),
});

const answers: Record<OpenIdPathId, Answer> = {
  async "begin-openid-sign-in"(exchange) {
    const { parts, request } = exchange;
    const openId = requireOpenId(exchange);
    const returnTo = readReturnAddress(exchange.address.query, parts.baseUrl);
    const { address, pending } = await openId.begin();
    const begun = { ...pending, beganHere: isFromHere(request.headers), returnTo, at: parts.clock() };
    const sealed = parts.sealer.seal(JSON.stringify(begun), purpose);
    return redirect(address, [writeCookie("sign_in", parts.baseUrl, sealed, timeoutSeconds)]);
  },

  async "finish-openid-sign-in"(exchange) {
    const { parts, request, address } = exchange;
    const openId = requireOpenId(exchange);
    const pending = readPending(exchange);
    const returning = {
      query: address.query,
      pending,
      former: readCookie(request.headers, "session", parts.baseUrl),
    };
    const { cookie } = await signInWithOpenId(parts, openId, returning, clientInfoOf(exchange));
    return redirect(pending?.returnTo ?? `${parts.baseUrl}/`, [
      writeCookie("session", parts.baseUrl, cookie, parts.sessionLife),
      clearCookie("sign_in", parts.baseUrl),
    ]);
  },
};

/** Where people go to sign in at the OpenID provider, and where it sends them back to. */
export const openIdEndpoints: readonly Endpoint<OpenIdParts>[] = sessionPaths.flatMap(({ id, path }) =>
  isAnswered(id) ? [{ path, methods: { GET: { name: id, isLogged: true, answer: inBrowser(answers[id]) } } }] : [],
);

/** Failures that are a matter of the request itself: the sign-in page could say nothing of use about them. */
const toldAsTheyAre = [400, 404];

/** Leads a browser back to the sign-in page when signing in has failed. A program gets the error itself. */
function inBrowser(answer: Answer): Answer {
  return async (exchange) => {
    try {
      return await answer(exchange);
    } catch (error) {
      const isPage = acceptsPage(exchange.request.headers.get("accept"));
      if (!(error instanceof ApiError) || !isPage || toldAsTheyAre.includes(error.status)) throw error;
      const code = errorCatalogue[error.faults[0].name].code;
      return redirect(`${exchange.parts.baseUrl}/console/sign-in?error=${code}`, []);
    }
  };
}

function isAnswered(id: SessionPathId): id is OpenIdPathId {
  return id in answers;
}

function requireOpenId({ parts }: Exchange<Pick<OpenIdParts, "openId">>): OpenId {
  if (parts.openId) return parts.openId;
  throw refuse("pathUnknown", "No OpenID provider is set here. Sign in with a password.");
}

/** True if a page of ours or the person at the browser asks for this. Over plain http no browser says who does. */
function isFromHere(headers: Headers): boolean {
  return ["same-origin", "none"].includes(headers.get("sec-fetch-site") ?? "none");
}

function readPending({
  parts,
  request,
}: Exchange<Pick<OpenIdParts, "baseUrl" | "sealer" | "clock">>):
  | (BegunSignIn & { returnTo?: string | undefined })
  | undefined {
  const sealed = readCookie(request.headers, "sign_in", parts.baseUrl);
  const opened = sealed === undefined ? undefined : parts.sealer.open(sealed, purpose);
  const pending = opened === undefined ? undefined : pendingShape.parse(JSON.parse(opened));
  return pending && pending.at > parts.clock() - timeoutSeconds * 1000 ? pending : undefined;
}

function redirect(address: string, cookies: readonly string[]): Reply {
  return { status: 303, headers: { Location: address, "Cache-Control": "no-store" }, body: null, cookies };
}
