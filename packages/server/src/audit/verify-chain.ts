import { parseJson } from "@holdfast/api/conventions/parse-json";
import { auditEventV1 } from "@holdfast/api/resources/audit-events";
import type { Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { Refusal } from "../settings/refusal";
import { type ChainHead, emptyChain, HeadBroken, openHead } from "./chain-head";
import { type AuditContent, hashOf, searchColumns } from "./record-event";

/** An event as it is kept: its document, and the hash of that. */
export interface ChainLink {
  document: string;
  hash: string;
}

const { actor, object } = auditEventV1.shape;
/** Events of older versions have no names, and their hashes are without them. */
const eventContent = auditEventV1.omit({ hash: true, _links: true }).extend({
  actor: actor.partial({ name: true }),
  object: object.unwrap().partial({ name: true }).nullable(),
});
const eventsPerRead = 1000;

/** Follows a chain link by link, and throws a sentence that names the first event that is not as it was written. */
export class ChainWalk {
  /** Head of the part that was followed. */
  end: ChainHead = emptyChain;
  firstHash = emptyChain.hash;

  follow({ document, hash }: ChainLink): AuditContent {
    const number = this.end.count + 1;
    if (hashOf(document) !== hash) {
      throw new Refusal(`Event ${number} was altered: its content does not have the hash that was noted for it.`);
    }
    const content = eventContent.safeParse(parseJson(document)).data;
    if (!content) throw new Refusal(`Event ${number} was replaced by something that is no event.`);
    if (content.number !== number) {
      throw new Refusal(`Event ${number} is missing or not in its place: number ${content.number} stands there.`);
    }
    if (content.previous_hash !== this.end.hash) {
      throw new Refusal(`Event ${number} was replaced, or the one before it: they do not follow each other.`);
    }
    if (number === 1) this.firstHash = hash;
    this.end = { count: number, hash };
    return content;
  }
}

/**
 * Checks the whole chain of a database, up to the end that was sealed, and hands over each event that was found to be as it
 * was written. Throws a sentence that names the first one that was not.
 */
export async function verifyChain(
  db: Queries,
  sealer: Sealer,
  visit: (link: ChainLink) => void | Promise<void> = () => {},
): Promise<ChainWalk> {
  const head = await requireHead(db, sealer);
  const walk = new ChainWalk();
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await db
      .selectFrom("audit_events")
      .selectAll()
      .where("number", ">", last)
      .orderBy("number")
      .limit(eventsPerRead)
      .execute();
    for (const { document, hash, ...columns } of rows) {
      const number = walk.end.count + 1;
      if (columns.number !== number) {
        throw new Refusal(
          columns.number > number
            ? `Event ${number} is missing: after event ${walk.end.count} comes number ${columns.number}.`
            : `Event ${columns.number} does not belong there: the first event has the number 1.`,
        );
      }
      requireColumns(columns, searchColumns(walk.follow({ document, hash })));
      await visit({ document, hash });
      last = number;
    }
    if (rows.length < eventsPerRead) break;
  }
  requireEnd(walk.end, head);
  return walk;
}

/** Refuses unless a chain that was found to be whole has an earlier end in it: it was not rewritten since. */
export async function requireIncluded(db: Queries, end: ChainHead): Promise<void> {
  if (!(await isIncluded(db, end))) {
    throw new Refusal(`Event ${end.count} of the database is missing, or another one than in the export.`);
  }
}

/** True if the chain of a database has an earlier end in it. */
export async function isIncluded(db: Queries, { count, hash }: ChainHead): Promise<boolean> {
  if (count === 0) return true;
  const row = await db.selectFrom("audit_events").select("hash").where("number", "=", count).executeTakeFirst();
  return row?.hash === hash;
}

async function requireHead(db: Queries, sealer: Sealer): Promise<ChainHead> {
  try {
    return await openHead(db, sealer);
  } catch (error) {
    if (!(error instanceof HeadBroken)) throw error;
    throw new Refusal(`The end of the audit trail cannot be found, because ${error.message}.`);
  }
}

/** Lists search by columns, so a column that was altered would hide an event although its document is whole. */
function requireColumns(stored: Readonly<Record<string, unknown>>, written: ReturnType<typeof searchColumns>): void {
  for (const [name, value] of Object.entries(written)) {
    if (stored[name] !== value) {
      throw new Refusal(`Event ${written.number} was altered: its column ${name} is not what its content says.`);
    }
  }
}

function requireEnd(end: ChainHead, head: ChainHead): void {
  if (end.count < head.count) {
    throw new Refusal(`Event ${end.count + 1} is missing: the audit trail has to end with event ${head.count}.`);
  }
  if (end.count > head.count) {
    throw new Refusal(`Event ${head.count + 1} was added: the audit trail has to end with event ${head.count}.`);
  }
  if (end.hash !== head.hash) {
    throw new Refusal(`Event ${end.count} was replaced: it is not the one that the sealed end speaks of.`);
  }
}
