import { refuse } from "@holdfast/api/conventions/api-error";
import type { ClientAuth, Configuration } from "openid-client";
import type { Settings } from "../../settings/declarations";
import type { Log } from "../../telemetry/log";
import { type Claims, readVouchedEmail, textOf, type VouchedEmail } from "./openid-claims";

/** A person as the OpenID provider identifies them. */
export interface Identity extends VouchedEmail {
  issuer: string;
  subject: string;
  fullName: string | undefined;
  groups: string[];
}

/** State that the browser keeps sealed from the beginning of a sign-in to its end. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/** Signs people in at an OpenID provider, by the authorization code flow with PKCE. */
export interface OpenId {
  /** Name of the provider for people. */
  name: string;
  /** The address to redirect the browser to. */
  begin(): Promise<{ address: string; pending: PendingSignIn }>;
  /** Who has come back, with the query that the provider has sent along. */
  finish(query: string, pending: PendingSignIn): Promise<Identity>;
}

/** Claims of a provider about a person, by their source. */
interface Said {
  issuer: string;
  subject: string;
  idToken: Claims;
  userInfo: Claims;
}

/** Where the provider sends people back to, under the base URL. */
const callbackPath = "/sign-in/oidc/callback";
const timeoutSeconds = 10;

/** Makes the sign-in with the provider that is set; nothing where none is. The provider is not asked before it is needed. */
export function createOpenId(settings: Settings, baseUrl: string, log: Log): OpenId | undefined {
  const { oidc_issuer: issuer, oidc_client_id: clientId } = settings;
  if (issuer === undefined || clientId === undefined) return undefined;
  const redirectUri = `${baseUrl}${callbackPath}`;
  let discovered: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await loadClient();
    const execute = [enableNonRepudiationChecks];
    // Only a provider on this very machine can be set without https.
    if (new URL(issuer ?? "").protocol === "http:") execute.push(allowInsecureRequests);
    const authentication = await chooseAuthentication(settings.oidc_client_secret);
    return discovery(new URL(issuer ?? ""), clientId ?? "", undefined, authentication, {
      execute,
      timeout: timeoutSeconds,
    });
  }

  async function configuration(): Promise<Configuration> {
    discovered ??= discover();
    try {
      return await discovered;
    } catch (error) {
      // The next sign-in asks again.
      discovered = undefined;
      throw away(error);
    }
  }

  function away(error: unknown) {
    log.warn("The OpenID provider does not answer as it should.", { error: reasonOf(error) });
    return refuse("providerAway", "The OpenID provider cannot be reached. Try again in a moment.", {
      "Retry-After": "5",
    });
  }

  async function whatProviderSays(query: string, { state, nonce, verifier }: PendingSignIn): Promise<Said> {
    const config = await configuration();
    const client = await loadClient();
    try {
      const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) throw new Error("The provider has sent no ID token.");
      // Many providers send the address and the groups there only.
      const userInfo = config.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(config, tokens.access_token, idToken.sub)
        : {};
      return { issuer: idToken.iss, subject: idToken.sub, idToken: { ...idToken }, userInfo: { ...userInfo } };
    } catch (error) {
      log.warn("Signing in with the OpenID provider has failed.", { error: reasonOf(error) });
      throw failed("Signing in with the OpenID provider has failed. Begin again.");
    }
  }

  return {
    name: settings.oidc_name ?? new URL(issuer).host,

    async begin() {
      const config = await configuration();
      const client = await loadClient();
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.oidc_scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: "S256",
      });
      return { address: address.href, pending };
    },

    async finish(query, pending) {
      const said = await whatProviderSays(query, pending);
      const vouched = readVouchedEmail(said.idToken, said.userInfo);
      if (vouched === "disagree") {
        log.warn("The OpenID provider names one e-mail address in its ID token and another one in userinfo.", {
          detail: "Have email and email_verified be the same in both, or leave them out of one.",
        });
        throw failed(
          "The OpenID provider contradicts itself about your e-mail address. Ask its administrator to correct that.",
        );
      }
      return readIdentity(said, vouched, settings.oidc_groups_claim);
    },
  };
}

/** The answer where what the provider has said is not enough to sign in. */
function failed(sentence: string) {
  return refuse("signInFailed", sentence, { "WWW-Authenticate": 'Bearer realm="holdfast"' });
}

/** Only when it is needed: most services never load it. */
function loadClient() {
  return import("openid-client");
}

/** In the body where the provider takes that, in the header otherwise: providers differ, and announce which they accept. */
async function chooseAuthentication(secret: string | undefined): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await loadClient();
  if (secret === undefined) return None();
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, client, body, headers) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_post");
    return (takesPost ? post : basic)(server, client, body, headers);
  };
}

/** The name and the groups stand for themselves: each is taken whole, from userinfo if that has it. */
function readIdentity(
  { issuer, subject, idToken, userInfo }: Said,
  vouched: VouchedEmail,
  groupsClaim: string,
): Identity {
  const claims: Claims = { ...idToken, ...userInfo };
  const groups = claims[groupsClaim];
  return {
    issuer,
    subject,
    ...vouched,
    fullName: textOf(claims.name),
    groups: (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === "string"),
  };
}

/** The error's own words, which have no secrets in them: not the response that it may carry. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
