import { type ApiError, refuseField } from "@holdfast/api/conventions/api-error";
import { listLimits } from "@holdfast/api/conventions/text-limits";
import { createMonitorsBody, monitorBodies, monitorV1 } from "@holdfast/api/resources/monitors";
import type { ChangeCall, Changed, ChangedPart, ChangeImplementation } from "../../operations/change";
import { checkBody } from "../../operations/check-body";
import { orRefusal } from "../tasks/reports/read-batch";
import { create } from "./change-monitors";

/** Creates several monitors in one transaction. Each is created, and audited, or refused by itself. */
export const createMonitors: ChangeImplementation = {
  body: createMonitorsBody,
  readLoosely: (sent) => ({ monitors: readMonitors(sent) }),
  async make(call, { monitors }) {
    const results: string[] = [];
    const parts: ChangedPart[] = [];
    for (const body of Array.isArray(monitors) ? monitors : []) {
      const made = await orRefusal(() => createOne(call, body));
      if (!(made instanceof Error)) parts.push({ unitId: call.scope.unitId, ...made });
      results.push(made instanceof Error ? writeRefusal(made) : `{"status":201,"monitor":${made.body}}`);
    }
    const object = { type: "organizational-unit", id: call.scope.unitId };
    return { object, parts, body: `{"results":[${results.join(",")}]}` };
  },
};

async function createOne(call: ChangeCall, body: unknown): Promise<Changed> {
  if (!isObject(body))
    throw refuseField("bodyInvalid", "", "A monitor has to be an object, as create-monitor takes it.");
  return create(call, checkBody(monitorBodies.create, body, monitorV1));
}

/** Reads the list of monitors, none of which is looked at yet. */
function readMonitors(sent: object): unknown[] {
  const { monitors, ...others }: { monitors?: unknown } = sent;
  const [other] = Object.keys(others);
  if (other !== undefined) checkBody(createMonitorsBody, sent);
  if (Array.isArray(monitors) && monitors.length > 0 && monitors.length <= listLimits.monitors) return monitors;
  throw refuseField(
    "bodyInvalid",
    "/monitors",
    `The field "monitors" has to be a list of 1 to ${listLimits.monitors}.`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function writeRefusal({ status, body }: ApiError): string {
  return JSON.stringify({ status, ...body });
}
