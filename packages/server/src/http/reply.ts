/** What is sent back, before the headers that every response has. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** Each is a Set-Cookie header of its own. */
  cookies?: readonly string[];
}
