import { Client } from "pg";

/** A database on a PostgreSQL server, made unless it is there. */
export async function databaseOn(serverUrl: string, name: string): Promise<{ url: string; isThere: boolean }> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    const isThere = rowCount === 1;
    if (!isThere) await client.query(`create database ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return { url: url.href, isThere };
  } finally {
    await client.end();
  }
}

/** Does at once what PostgreSQL does in the minutes after many rows were written, which would be beside what is measured. */
export async function settleDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}
