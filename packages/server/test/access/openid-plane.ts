import { expect } from "bun:test";
import type { SessionView } from "@holdfast/api/session/session-paths";
import type { RawSettings } from "../../src/settings/settings";
import { type Answered, type Plane, root } from "../harness";
import { clientId, clientSecret, type ProviderPerson, startProvider, type TestProvider } from "./openid-provider";
import { cookieName, openPlaneForPeople, sessionCookie } from "./people";

/** Cookies and headers of a browser that signs in. */
interface Browser {
  /** The cookie of a session that it has. */
  session?: string;
  /** Which site has sent it to us, as Sec-Fetch-Site tells. */
  site?: string;
}

/** A plane whose people come from a provider of its own. */
export interface OpenIdPlane {
  plane: Plane;
  provider: TestProvider;
  /** Signs in at the provider as somebody, and gives what we answer when the browser comes back. */
  visitAs(person: ProviderPerson, browser?: Browser): Promise<Answered>;
  /** The session that an answer has begun, as it is shown. */
  sessionOf(answered: Answered): Promise<SessionView>;
  close(): Promise<void>;
}

/** Opens a plane with a provider. Units that the settings name have yet to be added. */
export async function openPlaneWithProvider(flags: RawSettings): Promise<OpenIdPlane> {
  const provider = await startProvider("http://holdfast.test/sign-in/oidc/callback");
  const plane = await openPlaneForPeople({
    oidc_issuer: provider.issuer,
    oidc_client_id: clientId,
    oidc_client_secret: clientSecret,
    oidc_scopes: "openid email profile groups",
    ...flags,
  });
  return {
    plane,
    provider,
    async visitAs(person, { session, site } = {}) {
      provider.person = person;
      const begun = await plane.ask("/sign-in/oidc", {
        headers: site === undefined ? {} : { "Sec-Fetch-Site": site },
      });
      const back = new URL(await provider.visit(begun.headers.get("location") ?? ""));
      const cookies = [cookiesOf(begun), ...(session === undefined ? [] : [`${cookieName}=${session}`])];
      return plane.ask(`${back.pathname}${back.search}`, { headers: { Cookie: cookies.join("; ") } });
    },
    async sessionOf(answered) {
      expect([answered.status, answered.headers.get("location")]).toEqual([303, "http://holdfast.test/"]);
      const headers = { Cookie: `${cookieName}=${sessionCookie(answered)}` };
      return (await plane.ask("/session", { headers })).body;
    },
    async close() {
      await plane.close();
      await provider.close();
    },
  };
}

/** Adds a unit below the root with an id that settings have named before. */
export async function addNamedUnit({ database }: Plane, id: string, name: string): Promise<void> {
  await database.change(async (db) => {
    const names = { name, name_lower: name.toLowerCase(), name_folded: name.toLowerCase() };
    await db
      .insertInto("organizational_units")
      .values({ id, parent_id: root, ...names, created_at: 0 })
      .execute();
    const paths = [id, root].map((ancestor_id) => ({ ancestor_id, unit_id: id }));
    await db.insertInto("organizational_unit_paths").values(paths).execute();
  });
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf({ headers }: Answered): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Facts about a sign-in in an answer: status, error and session cookie. */
export function told({ status, body, headers }: Answered) {
  return [
    status,
    body?.errors?.[0]?.error_code,
    headers.getSetCookie().filter((cookie) => cookie.startsWith("holdfast_session")),
  ];
}

/** The roles of a session as `role@unit`. */
export function rolesOf({ organizational_units }: SessionView): string[] {
  return organizational_units.flatMap(({ organizational_unit_id, roles }) =>
    roles.map(({ name }) => `${name}@${organizational_unit_id === root ? "root" : organizational_unit_id}`),
  );
}
