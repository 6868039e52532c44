import { refuse } from "@holdfast/api/conventions/api-error";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { abortTaskBody } from "@holdfast/api/resources/task-reports";
import { type ChangeImplementation, implementChange } from "../../../operations/change";
import { variableOf } from "../../../operations/path-variables";
import { requestAbort } from "../lifecycle";
import { writeDocument } from "../record";
import { countChange } from "./count-reports";
import type { FollowTasks } from "./follow-tasks";
import { cleanReason } from "./prepare-report";
import { readGroup } from "./write-reports";

/** Asks for a task to be aborted. Its runner learns of it from its next heartbeat, or from the one that is held. */
export const abortTask = (follow: FollowTasks): ChangeImplementation =>
  implementChange(abortTaskBody, async (call, { reason }) => {
    const { db, scope, caller, now, variables } = call;
    const id = canonicalId(variableOf(variables, "task_id"));
    const group = await readGroup(db, [id], [], follow);
    const tracked = group.get(id);
    if (!tracked.task || !tracked.path.includes(scope.unitId)) {
      throw refuse("itemUnknown", "There is no such task, or you may not see it.");
    }
    const before = tracked.task;
    call.requireMatch(writeDocument(before.record));
    tracked.task = requestAbort(before, caller.userId ?? caller.tokenId, cleanReason(reason), now);
    await group.save(now);
    const after = tracked.task;
    const { metrics } = call.parts;
    call.afterwards(async () => metrics && countChange(metrics, before, after));
    const { record } = after;
    return {
      object: { type: "task", id },
      unitId: record.organizational_unit_id,
      before: { status: before.record.status },
      after: { status: record.status, reason: record.abort?.reason ?? null },
      body: writeDocument(record),
    };
  });
