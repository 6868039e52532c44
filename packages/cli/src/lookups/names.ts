import { type Client, HoldfastError } from "@holdfast/client";
import { pathOf } from "./units";

/** The names of things, read for the ids that a table shows. */
export interface Names {
  load(ids: readonly (string | null | undefined)[]): Promise<void>;
  /** The name, or the id where it is not known. */
  of(id: string | null | undefined): string;
}

/** So many values a filter takes at most. */
const maxBatchSize = 200;

function createNames(read: (ids: string[]) => AsyncIterable<readonly [id: string, name: string]>): Names {
  const known = new Map<string, string>();
  return {
    async load(ids) {
      const wanted = [...new Set(ids)].filter((id): id is string => typeof id === "string" && !known.has(id));
      for (let at = 0; at < wanted.length; at += maxBatchSize) {
        try {
          for await (const [id, name] of read(wanted.slice(at, at + maxBatchSize))) known.set(id, name);
        } catch (error) {
          // Not everyone may read names: then ids are shown.
          if (error instanceof HoldfastError && error.status === 403) return;
          throw error;
        }
      }
    },
    of: (id) => (id ? (known.get(id) ?? id) : "-"),
  };
}

export function unitNames(client: Client): Names {
  return createNames(async function* (ids) {
    const units = client.organizationalUnits.list({ filter: { id: { $in: ids } }, limit: maxBatchSize });
    for await (const unit of units) yield [unit.id, pathOf(unit)];
  });
}

export function webhookNames(client: Client): Names {
  return createNames(async function* (ids) {
    const webhooks = client.webhooks.list({ filter: { id: { $in: ids } }, limit: maxBatchSize });
    for await (const { id, name } of webhooks) yield [id, name];
  });
}

export function roleNames(client: Client): Names {
  return createNames(async function* (ids) {
    const roles = client.roles.list({ filter: { id: { $in: ids } }, limit: maxBatchSize });
    for await (const { id, name } of roles) yield [id, name];
  });
}

export function userNames(client: Client): Names {
  return createNames(async function* (ids) {
    const users = client.users.list({ filter: { id: { $in: ids } }, limit: maxBatchSize });
    for await (const { id, email } of users) yield [id, email];
  });
}

export function monitorNames(client: Client): Names {
  return createNames(async function* (ids) {
    const monitors = client.monitors.list({ filter: { id: { $in: ids } }, limit: maxBatchSize });
    for await (const { id, name } of monitors) yield [id, name];
  });
}
