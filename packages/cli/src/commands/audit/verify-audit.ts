import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { type Anchor, anchorPath, findRollback, readAnchor, rollbackAdvice } from "@holdfast/server/audit/anchor";
import type { ChainHead } from "@holdfast/server/audit/chain-head";
import { exportEvents } from "@holdfast/server/audit/export-events";
import { readKeySet, requireTrusted, type Trailer } from "@holdfast/server/audit/export-trailer";
import { requireIncluded, verifyChain } from "@holdfast/server/audit/verify-chain";
import { verifyExport } from "@holdfast/server/audit/verify-export";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { type OpenedForCommand, openForCommand } from "../../local/open-for-command";
import { writeLine } from "../../output/write";

export interface VerifyFlags {
  jwks?: string;
  compare?: true;
}

/** Checks the audit trail of the database, or an export. */
export async function verifyAudit(
  command: Command,
  path: string | undefined,
  { jwks, compare }: VerifyFlags,
): Promise<void> {
  if (path === undefined) {
    if (jwks !== undefined || compare) command.error("--jwks and --compare are for a file: name one");
    return openForCommand(command, async (opened) => {
      const { end, anchor } = await verifyDatabase(opened);
      const whole = `The audit trail is whole: ${countEvents(end.count)}, the last with the hash ${end.hash}.`;
      await writeLine(`${whole} ${describeAnchor(anchor)}`);
    });
  }
  const trailer = await verifyExport(readBytes(path));
  if (jwks !== undefined) requireTrusted(trailer, await readKeys(jwks));
  if (compare) {
    await openForCommand(command, async (opened) => {
      await verifyDatabase(opened, { count: trailer.count, hash: trailer.last_hash });
    });
  }
  await writeLine(describe(trailer));
  if (jwks === undefined && !compare) {
    process.stderr.write(
      "Whether that is a key of your control plane is not known. Give its keys with --jwks, or its database with --compare.\n",
    );
  }
}

/** Checks the database: its chain, that this goes on from an export, and that it was not rolled back. */
async function verifyDatabase({ database, sealer, settings }: OpenedForCommand, exported?: ChainHead) {
  const anchor = await readAnchor(anchorPath(settings.data_dir), sealer);
  return database.snapshot(async (db) => {
    const { end } = await verifyChain(db, sealer);
    if (exported) await requireIncluded(db, exported);
    const rollback = anchor.head && (await findRollback(db, end, anchor.head));
    if (rollback !== undefined) throw new Refusal(`${rollback} ${rollbackAdvice(anchor.path)}`);
    return { end, anchor };
  });
}

function describeAnchor({ path, sealed, head }: Anchor): string {
  if (head) return `It goes on from event ${head.count}, the newest that was noted in ${path}.`;
  return sealed === null
    ? `It was not compared with what this machine has seen, because there is no file ${path} yet: a running service makes it.`
    : `It was not compared with what this machine has seen, because the secret does not open ${path}: a running service replaces it.`;
}

function describe({ count, exported_timestamp, last_hash, public_key }: Trailer): string {
  return (
    `The export of ${exported_timestamp} is whole: ${countEvents(count)}, the last with the hash ${last_hash}. ` +
    `It was signed with the key ${public_key.kid} (${public_key.x}).`
  );
}

/** "1 event", "3 events". */
function countEvents(count: number): string {
  return count === 1 ? "1 event" : `${count} events`;
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of path === "-" ? process.stdin : createReadStream(path)) yield Buffer.from(chunk);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readKeys(path: string) {
  try {
    const keys = readKeySet(await readFile(path, "utf8"));
    if (!keys) throw new Error("it is no key set");
    return keys;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Refusal {
  const reason = errorMessage(error);
  return new Refusal(`The file ${path} cannot be read (${reason}). Name another one.`);
}

/** Writes all audit events to standard output. */
export function exportAudit(command: Command): Promise<void> {
  return openForCommand(command, async (controlPlane) => exportEvents(controlPlane, controlPlane.now, writeLine));
}
