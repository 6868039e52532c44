import { connect } from "../../src/index";
import { equal } from "./world";

/** A page whose person has signed in again in another tab, under another session with another CSRF token. */
export async function signInAgain(baseUrl: string, email: string, password: string): Promise<string> {
  const [first, second] = [connect({ session: true, baseUrl }), connect({ session: true, baseUrl })];
  const change = async (name: string) => (await first.roles.create({ name, permissions: ["tasks:read"] })).name;
  equal(await change("before"), "before");
  await second.request("/session", { method: "delete" });
  await second.request("/session", { method: "post", body: { email, password } });
  equal(await change("after"), "after");
  return "passed";
}
