import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

/** Somebody whom the provider knows. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
  /** Claims in the ID token on top of that, or instead: without it, people's claims are at the userinfo endpoint alone. */
  idToken?: { email?: string; email_verified?: boolean };
}

/** A real OpenID provider on this machine. Whoever comes is signed in as the person that a test has chosen. */
export interface TestProvider {
  issuer: string;
  person: ProviderPerson;
  /** True if it refuses to sign the person in, as where the person presses Cancel there. */
  refuses: boolean;
  /** Goes through the provider's pages as a browser would, and gives the address that it sends the browser back to. */
  visit(address: string): Promise<string>;
  close(): Promise<void>;
}

export const clientId = "holdfast";
export const clientSecret = "a secret between holdfast and its provider";

/** Starts a provider that knows one client, which it sends people back to at the given address. */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const people = new Map<string, ProviderPerson>();
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${portOf(server.address())}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "test", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["a key for the cookies of a test"] },
    scopes: ["openid", "email", "profile", "groups"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // The ID token has what a test says, and not only what no userinfo endpoint would say.
    conformIdTokenClaims: false,
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: (use) => {
        const { idToken, ...said } = people.get(sub) ?? {};
        return use === "id_token" ? { ...idToken, sub } : { ...said, sub };
      },
    }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId,
        accountId: context.oidc.session?.accountId,
      });
      grant.addOIDCScope("openid email profile groups");
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  const test: TestProvider = {
    issuer,
    person: { sub: "nobody" },
    refuses: false,
    visit: (address) => followRedirects(address, issuer),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  handle = (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return callback(request, response);
    people.set(test.person.sub, test.person);
    const result = test.refuses ? { error: "access_denied" } : { login: { accountId: test.person.sub } };
    return provider.interactionFinished(request, response, result);
  };
  return test;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The provider does not listen on a port.");
  return address.port;
}

/** Follows redirects as long as they lead to the provider, with its cookies. */
async function followRedirects(address: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  while (at.startsWith(issuer)) {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { Cookie: sent } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`);
    at = new URL(next, at).href;
  }
  return at;
}
