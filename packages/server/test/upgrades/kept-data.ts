import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

/** The data directories of earlier versions, one for each schema step that was kept. */
export const keptFolder = join(import.meta.dir, "kept");

/** Secret that they are sealed with. It opens nothing else. */
export const testSecret = "the secret of kept test data, which opens nothing else";

export const baseUrl = "http://holdfast.test";

/** Answers of the version that made the data. */
export interface KnownData {
  madeAt: number;
  tokens: { owner: string; personal: string; revoked: string };
  /** All items of each list that the version had. */
  lists: Record<string, Item[]>;
  auditEvents: number;
}

export interface Item extends Record<string, unknown> {
  id: string;
}

/** The schema steps of which there is data, the oldest first. */
export function keptSteps(): string[] {
  return readdirSync(keptFolder).sort();
}

export function readKnown(step: string, database: "sqlite" | "postgres"): KnownData {
  return JSON.parse(new TextDecoder().decode(unpack(step, `${database}.json`)));
}

/** Puts the data of a version into a folder, as its data directory. */
export function layKeptFile(step: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "holdfast.db");
  writeFileSync(path, unpack(step, "sqlite.db"), { mode: 0o600 });
  return path;
}

/** Puts the data of a version into an empty PostgreSQL database. */
export async function loadKeptDump(step: string, url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(new TextDecoder().decode(unpack(step, "postgres.sql")));
  } finally {
    await client.end();
  }
}

function unpack(step: string, name: string): Uint8Array {
  return Bun.zstdDecompressSync(readFileSync(join(keptFolder, step, `${name}.zst`)));
}
