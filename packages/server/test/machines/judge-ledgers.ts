import { verifyChain } from "../../src/audit/verify-chain";
import { readDocument } from "../../src/resources/tasks/record";
import type { Plane } from "../harness";
import { recountTasks } from "../recount";
import { findMismatch, type HeldTask, type RunnerFate } from "../truth/judge";
import { type Run, runsOf } from "../truth/ledger";
import type { Runner } from "../truth/runner";
import type { Machines } from "./start-machines";
import type { ReportedTask } from "./steady-reports";

/** Who has reported, and what they know. */
export interface Ledgers {
  runners: readonly { runner: Runner; fate: RunnerFate }[];
  tasks: readonly ReportedTask[];
}

/** Differences between the service and the knowledge of those who reported. */
export interface Judgement {
  mismatches: string[];
  /** Tasks that were taken for lost, now or in between. */
  falselyLost: string[];
  /** The control: what the same look finds if one more report had been acknowledged than there is. */
  withOneMore: string[];
}

const settling = 20_000;

/** Compares what the service holds with the ledgers, until all is as it should be, or for too long. */
export async function judgeLedgers(machines: Machines, ledgers: Ledgers): Promise<Judgement> {
  const plane = await machines.open();
  try {
    let judgement = await judgeOnce(plane, ledgers);
    // Reports may still be on their way.
    for (const deadline = performance.now() + settling; performance.now() < deadline; await Bun.sleep(200)) {
      if (judgement.mismatches.length === 0) break;
      judgement = await judgeOnce(plane, ledgers);
    }
    await plane.database.snapshot((db) => verifyChain(db, plane.controlPlane.sealer));
    return judgement;
  } finally {
    await plane.database.close();
  }
}

async function judgeOnce(plane: Plane, { runners, tasks }: Ledgers): Promise<Judgement> {
  const rows = await plane.database.snapshot((db) =>
    db
      .selectFrom("tasks")
      .innerJoin("task_leases", "task_leases.task_id", "tasks.id")
      .select(["tasks.id", "tasks.document", "task_leases.sequence"])
      .execute(),
  );
  const held = new Map(
    rows.map(({ id, document, sequence }): [string, HeldTask] => [id, { record: readDocument(document), sequence }]),
  );
  const runs = runners.flatMap(({ runner, fate }) =>
    [...runsOf(runner.entries()).values()].map((run) => ({ run, fate })),
  );
  const untruthsOf = (all: typeof runs) => all.flatMap(({ run, fate }) => findMismatch(run, fate, held.get(run.task)));
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  const ids = [...runs.map(({ run }) => run.task), ...tasks.map(({ id }) => id)];
  return {
    mismatches: [
      ...untruthsOf(runs),
      ...tasks.flatMap((task) => findLostReport(task, held.get(task.id))),
      ...(Bun.deepEquals(kept, counted) ? [] : ["the counts differ from a count of the tasks"]),
    ],
    falselyLost: ids.filter((id) => {
      const record = held.get(id)?.record;
      return record?.outcome === "lost" || record?.revised_timestamp !== undefined;
    }),
    withOneMore: untruthsOf(runs.slice(0, 1).map(({ run, fate }) => ({ run: withOneMore(run), fate }))),
  };
}

function findLostReport({ id, acknowledged, sent }: ReportedTask, held: HeldTask | undefined): string[] {
  const sequence = held?.sequence ?? 0;
  const isPlausible = sequence >= acknowledged && sequence <= sent;
  return isPlausible ? [] : [`${id}: ${sequence} was applied, ${acknowledged} acknowledged, ${sent} sent`];
}

function withOneMore(run: Run): Run {
  return { ...run, heard: new Set([...run.heard, (run.sentReports.at(-1)?.sequence ?? 0) + 1]) };
}
