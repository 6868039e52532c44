import type { SessionView } from "@holdfast/api/session/session-paths";
import { type Fault, HoldfastError } from "@holdfast/client";
import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { queryClient } from "./query-client";
import { hasStatus, service, serviceUrl } from "./service";
import { announceSignOut, openGate } from "./session-gate";

export type Session = SessionView;

/** Who is signed in; null where no person is. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      const session = await service.session.read({ signal });
      openGate();
      return session;
    } catch (error) {
      if (hasStatus(error, 401)) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
});

/** The session of the person who is signed in. The shell shows no page before there is one. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new Error("No person is signed in.");
  return data;
}

/** Unit of the session; undefined until it is known. */
export function useDefaultUnit(): string | undefined {
  return useQuery(sessionQuery).data?.organizational_unit_id ?? undefined;
}

export interface Credentials {
  email: string;
  password: string;
  code?: string | undefined;
}

/** Signs in. What the service refuses with is thrown. */
export async function signIn({ email, password, code }: Credentials): Promise<Session> {
  const body = { email, password, ...(code === undefined ? {} : { code }) };
  const session = await postSession(JSON.stringify(body));
  queryClient.setQueryData(sessionQuery.queryKey, session);
  openGate();
  return session;
}

/** Sends it past the client, whose changes wait for the token of a session: here there is none yet, or it has ended. */
async function postSession(body: string): Promise<Session> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${serviceUrl}/session`, { method: "POST", headers, body }).catch(() => undefined);
  if (answer?.ok) return answer.json();
  const { errors }: { errors: Fault[] } = (await answer?.json().catch(() => undefined)) ?? { errors: [] };
  const retryAfter = Number(answer?.headers.get("retry-after") ?? 0);
  throw new HoldfastError({ status: answer?.status ?? 0, faults: errors, retryAfter });
}

/** Signs out here and in all other tabs. */
export async function signOut(): Promise<void> {
  await service.session.signOut();
  announceSignOut();
}
