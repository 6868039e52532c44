import type { SessionAnswerOf, SessionBodyOf, SessionPathId } from "@holdfast/api/session/session-paths";
import type { Answer, CallOptions, Transport } from "./transport";

/** The session of a person who has signed in, for a client that is connected with `session: true`. */
export interface Session {
  /**
   * Reads how people can sign in. It needs neither a token nor a session.
   * @example
   * const { password, openid } = await holdfast.session.signInOptions();
   */
  signInOptions(options?: CallOptions): Promise<SessionAnswerOf<"read-sign-in-options">>;
  /**
   * Signs in with an e-mail address and a password. The browser keeps the cookie.
   * @example
   * const { user } = await signedIn.session.signIn({ email: ownEmail, password: ownPassword });
   */
  signIn(body: SessionBodyOf<"sign-in">, options?: CallOptions): Promise<SessionAnswerOf<"sign-in">>;
  /**
   * Reads who is signed in.
   * @example
   * const { user, organizational_units } = await signedIn.session.read();
   */
  read(options?: CallOptions): Promise<SessionAnswerOf<"read-session">>;
  /**
   * Signs out.
   * @example
   * await signedIn.session.signOut();
   */
  signOut(options?: CallOptions): Promise<void>;
  /**
   * Lists the person's sessions, the last used first.
   * @example
   * const { _embedded } = await signedIn.session.list();
   * for (const { client, address, is_current } of _embedded.items) console.log(client, address, is_current);
   */
  list(options?: CallOptions): Promise<SessionAnswerOf<"list-sessions">>;
  /**
   * Ends one of the person's sessions.
   * @example
   * const { _embedded } = await signedIn.session.list();
   * for (const { id, is_current } of _embedded.items) if (!is_current) await signedIn.session.end(id);
   */
  end(id: string, options?: CallOptions): Promise<void>;
  /**
   * Ends all of the person's sessions, this one included.
   * @example
   * await signedIn.session.endAll();
   */
  endAll(options?: CallOptions): Promise<void>;
  /**
   * Changes the person's own name or time zone.
   * @example
   * const { user } = await signedIn.session.updateAccount({ full_name: "Ida Berg" });
   */
  updateAccount(
    body: SessionBodyOf<"update-account">,
    options?: CallOptions,
  ): Promise<SessionAnswerOf<"update-account">>;
}

/** These paths are no resource: discovery does not list them. */
export function createSession(transport: Transport): Session {
  async function send<Id extends SessionPathId>(
    method: string,
    href: string,
    options: CallOptions = {},
    body?: unknown,
  ): Promise<SessionAnswerOf<Id>> {
    return parseAnswer(await transport.send({ ...options, method, href, body, isRepeatable: method === "get" }));
  }

  return {
    signInOptions: (options) => send<"read-sign-in-options">("get", "/sign-in-options", options),
    signIn: (body, options) => send<"sign-in">("post", "/session", options, body),
    read: (options) => send<"read-session">("get", "/session", options),
    signOut: (options) => send<"sign-out">("delete", "/session", options),
    list: (options) => send<"list-sessions">("get", "/sessions", options),
    end: (id, options) => send<"end-session">("delete", `/sessions/${encodeURIComponent(id)}`, options),
    endAll: (options) => send<"sign-out-everywhere">("delete", "/sessions", options),
    updateAccount: (body, options) => send<"update-account">("patch", "/session/account", options, body),
  };
}

function parseAnswer({ text }: Answer) {
  if (text === "") return undefined;
  return JSON.parse(text);
}
