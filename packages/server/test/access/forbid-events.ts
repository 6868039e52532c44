import { sql } from "kysely";
import type { Plane } from "../harness";
import { testsOnPostgres } from "../test-database";

/** Lets the database refuse events whose document has a text in it, until that is lifted. */
export async function forbidEvents({ database }: Plane, text: string): Promise<() => Promise<void>> {
  const condition = sql.lit(`%${text}%`);
  const [make, remove] = testsOnPostgres()
    ? [
        [
          sql`create function forbid_event() returns trigger language plpgsql as
            $$ begin if new.document like ${condition} then raise exception 'no event'; end if; return new; end $$`,
          sql`create trigger forbid_event before insert on audit_events for each row execute function forbid_event()`,
        ],
        [sql`drop trigger forbid_event on audit_events`, sql`drop function forbid_event`],
      ]
    : [
        [
          sql`create trigger forbid_event before insert on audit_events when new.document like ${condition}
            begin select raise(abort, 'no event'); end`,
        ],
        [sql`drop trigger forbid_event`],
      ];
  const runAll = (statements: typeof make) =>
    database.change(async (db) => {
      for (const statement of statements) await statement.execute(db);
    });
  await runAll(make);
  return () => runAll(remove);
}
