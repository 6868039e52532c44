import type { declaredResources } from "@holdfast/api/resources/index";
import { apiTokenSample } from "./api-tokens";
import { auditEventSample } from "./audit-events";
import { callerSample } from "./caller";
import { entitySample } from "./entities";
import { keySample } from "./keys";
import { monitorSample } from "./monitors";
import { organizationalUnitSample } from "./organizational-units";
import { pingKeySample } from "./ping-keys";
import type { Asker, OwnedPlane, Preparation, PreparedRequest, ResourceSample } from "./resource-sample";
import { roleSample } from "./roles";
import { taskSample } from "./tasks";
import { userSample } from "./users";
import { viewSample } from "./views";
import { webhookDeliverySample } from "./webhook-deliveries";
import { webhookSample } from "./webhooks";

/** A sample of every resource. Does not compile while one that is declared, or one of its operations, has none. */
const samples = {
  users: userSample,
  tasks: taskSample,
  entities: entitySample,
  "organizational-units": organizationalUnitSample,
  roles: roleSample,
  "api-tokens": apiTokenSample,
  keys: keySample,
  monitors: monitorSample,
  "ping-keys": pingKeySample,
  webhooks: webhookSample,
  "webhook-deliveries": webhookDeliverySample,
  views: viewSample,
  "audit-events": auditEventSample,
  caller: callerSample,
} satisfies { [Declared in (typeof declaredResources)[number] as Declared["name"]]: ResourceSample<Declared> };

const everySample = Object.values<ResourceSample>(samples);

const preparations = new Map(everySample.flatMap(({ operations }) => Object.entries(operations)));

/** Preparations of an operation, one for each way that there is. */
export function preparationsOf(operationId: string): readonly Preparation[] {
  const given = preparations.get(operationId);
  if (given) return [given].flat();
  throw new Error(`No sample says how ${operationId} is asked for.`);
}

/** Makes ready what an operation is asked for in a unit. */
export async function prepareIn(
  plane: OwnedPlane,
  unitId: string,
  operationId: string,
  asker: Asker = { userId: undefined, unitId, holder: "" },
): Promise<PreparedRequest> {
  const [preparation] = preparationsOf(operationId);
  if (!preparation) throw new Error(`The sample has no request for ${operationId}.`);
  const units = { root: unitId, above: unitId, own: unitId, below: unitId, beside: unitId };
  return preparation.prepare({ ...plane, units }, preparation.places.includes("own") ? "own" : "anywhere", asker);
}

/** Fills every list: with several items in one unit, and with one in another. */
export async function seedAll(plane: OwnedPlane, several: string, one: string): Promise<void> {
  for (const { seed } of everySample) await seed(plane, several, one);
}
