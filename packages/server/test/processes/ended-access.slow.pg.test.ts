import { afterAll, expect, test } from "bun:test";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { addPerson, cookieName, password, sessionCookie } from "../access/people";
import { type Answered, type Ask, root } from "../harness";
import { startProcess } from "../process";
import { size } from "../runs";
import { type Connection, connectToEach } from "./connection";

const processCount = size({ default: 2, long: 4 });
const rounds = size({ default: 4, long: 250 });
const server = await startProcess({ flags: { processes: String(processCount), log_level: "warn" } });
const beside = await server.openBeside();
await beside.addUser({ roles: [{ role: "owner" }] });
const { token: owner } = await beside.serviceToken("owner");
const connections = await connectToEach(server.port, processCount);
afterAll(async () => {
  for (const connection of connections) connection.close();
  await server.stop();
  await beside.close();
});

/** Somebody who may read tasks, until one request, to any process, ends that. */
interface Access {
  /** Token of the one whose access ends. */
  ask: Ask;
  end(process: Connection): Promise<Answered>;
}

let number = 0;

async function addReader() {
  number += 1;
  const email = `reader-${number}@example.org`;
  const userId = await addPerson(beside, { email });
  return { userId, email, ...(await beside.personalToken(userId)) };
}

const byOwner = (path: string, method: string, body?: object) => (process: Connection) =>
  process.ask(path, { method, token: owner, ...(body ? { body } : {}) });

async function signInAt(process: Connection | undefined, email: string): Promise<Ask> {
  const answered = await process?.ask("/session", { method: "POST", body: { email, password } });
  if (answered?.status !== 201) throw new Error(`Signing in failed: ${answered?.text}`);
  return { headers: { Cookie: `${cookieName}=${sessionCookie(answered)}`, "X-CSRF-Token": answered.body.csrf_token } };
}

async function makeRole(): Promise<string> {
  number += 1;
  const body = { name: `Reader ${number}`, permissions: ["tasks:read", "users:read"] };
  return (await beside.ask("/roles", { method: "POST", token: owner, body })).body.id;
}

/** Every road on which access ends over the API, and what the next request is answered with. */
const roads: [string, number, () => Promise<Access>][] = [
  [
    "a token is revoked",
    40105,
    async () => {
      const { id, token } = await beside.serviceToken("viewer");
      return { ask: { token }, end: byOwner(`/api-tokens/${id}`, "DELETE") };
    },
  ],
  [
    "a token is rotated",
    40105,
    async () => {
      const { id, token } = await beside.serviceToken("viewer");
      return { ask: { token }, end: byOwner(`/api-tokens/${id}/rotate`, "POST", {}) };
    },
  ],
  [
    "a user is disabled",
    40107,
    async () => {
      const { userId, token } = await addReader();
      return { ask: { token }, end: byOwner(`/users/${userId}`, "PATCH", { is_enabled: false }) };
    },
  ],
  [
    "a user is deleted",
    40105,
    async () => {
      const { userId, token } = await addReader();
      return { ask: { token }, end: byOwner(`/users/${userId}`, "DELETE") };
    },
  ],
  [
    "a user's role is taken",
    40107,
    async () => {
      const { userId, token } = await addReader();
      return { ask: { token }, end: byOwner(`/users/${userId}`, "PATCH", { access_control_configuration: [] }) };
    },
  ],
  [
    "a role comes to allow less",
    40302,
    async () => {
      const roleId = await makeRole();
      const userId = await beside.addUser({});
      const grant = { role_id: roleId, organizational_unit_ids: [root] };
      const body = { access_control_configuration: [grant] };
      await beside.ask(`/users/${userId}`, { method: "PATCH", token: owner, body });
      const { token } = await beside.personalToken(userId);
      return { ask: { token }, end: byOwner(`/roles/${roleId}`, "PATCH", { permissions: ["users:read"] }) };
    },
  ],
  [
    "a unit is moved away",
    40301,
    async () => {
      number += 1;
      const [from, to] = [await beside.addUnit(`From ${number}`), await beside.addUnit(`To ${number}`)];
      const unit = await beside.addUnit("Moved", from);
      const { token } = await beside.serviceToken("viewer", from);
      return { ask: { token, unit }, end: byOwner(`/organizational-units/${unit}`, "PATCH", { parent_id: to }) };
    },
  ],
  [
    "a key is retired",
    40102,
    async () => {
      const { database, controlPlane } = beside;
      const key = await database.change((db) => rotateSigningKey(db, controlPlane.sealer, Date.now()));
      const { token } = await beside.serviceToken("viewer");
      return { ask: { token }, end: byOwner(`/keys/${key}`, "DELETE") };
    },
  ],
  [
    "somebody signs out everywhere",
    40110,
    async () => {
      const { email } = await addReader();
      const [ask, other] = [await signInAt(connections[0], email), await signInAt(connections[1], email)];
      return { ask, end: (process) => process.ask("/sessions", { ...other, method: "DELETE" }) };
    },
  ],
  [
    "somebody who is signed in is disabled",
    40110,
    async () => {
      const { email, userId } = await addReader();
      const ask = await signInAt(connections[0], email);
      return { ask, end: byOwner(`/users/${userId}`, "PATCH", { is_enabled: false }) };
    },
  ],
];

test.each(roads)(
  "T6, R12: when %s at one process, the next request is refused at every process",
  async (_, code, prepare) => {
    const good: number[] = [];
    const ended: number[] = [];
    const refused: unknown[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { ask, end } = await prepare();
      const askAll = () => Promise.all(connections.map((process) => process.ask("/tasks?limit=1", ask)));
      good.push(...(await askAll()).map(({ status }) => status));
      ended.push((await end(connections[round % processCount] ?? connections[0])).status);
      refused.push(...(await askAll()).map(({ body }) => body.errors?.[0]?.error_code));
    }
    expect(new Set(good)).toEqual(new Set([200]));
    expect(ended.filter((status) => status >= 300)).toEqual([]);
    expect(new Set(refused)).toEqual(new Set([code]));
  },
  600_000,
);
