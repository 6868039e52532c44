import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";
import { chooseVersion, type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import { defaultVersion, type Operation, type Resource, supportedVersions } from "@holdfast/api/conventions/operation";
import { unitHeader } from "@holdfast/api/conventions/unit-header";
import { describeResources, discovery } from "@holdfast/api/resources/discovery";
import { resources } from "@holdfast/api/resources/index";
import type { Caller } from "../access/caller";
import type { UnitContext } from "../access/context";
import { createMemory, type Memory } from "../database/memory";
import type { Call, Implementation } from "../resources/implementation";
import { implementations } from "../resources/index";
import type { Written } from "../resources/written";
import type { Service } from "../service";
import { authenticate } from "./authenticate";
import { authorize } from "./authorize";
import { chooseUnit } from "./choose-unit";
import type { Endpoint, Exchange } from "./endpoint";
import { etagOf, isKnown } from "./etag";
import { parseParameters } from "./parse-parameters";
import type { Reply } from "./reply";

/** A body that was sent before, good for as long as nothing is committed. */
interface Sent {
  body: string;
  etag: string;
  isCurrent: boolean;
}

const rememberedCharacters = 4_000_000;

/** The endpoints of all declared operations, and of discovery. */
export function operationEndpoints(service: Service): Endpoint[] {
  const sent = createMemory<Sent>(rememberedCharacters, ({ body }) => body.length);
  const implemented = implementations();
  const declared = resources.flatMap((resource) =>
    operationIds(resource).map((id) => operationEndpoint(service, resource, id, implemented[id], sent)),
  );
  return [discoveryEndpoint(service, sent), ...declared];
}

function operationIds(resource: Resource): string[] {
  return [...new Set(resource.versions.flatMap(({ operations }) => operations.map(({ id }) => id)))];
}

function operationEndpoint(
  service: Service,
  resource: Resource,
  id: string,
  implementation: Implementation | undefined,
  sent: Memory<Sent>,
): Endpoint {
  const declarations = new Map<number, Operation>();
  for (const { version, operations } of resource.versions) {
    const operation = operations.find((candidate) => candidate.id === id);
    if (operation) declarations.set(version, operation);
  }
  const [first] = declarations.values();
  if (!first || !implementation) throw new Error(`The operation ${id} is declared, but nothing implements it.`);
  const offer: VersionOffer = {
    vendor: service.vendor,
    resource: resource.name,
    supported: supportedVersions(resource).filter((version) => declarations.has(version)),
    preferred: defaultVersion(resource),
    withoutAccept: defaultVersion(resource),
  };
  return {
    name: id,
    path: first.path.replace(/\{(\w+)\}/g, ":$1"),
    answer: (exchange) =>
      answerOperation(exchange, offer, sent, (version, caller, context) => {
        const { permission, path } = declarations.get(version) ?? first;
        const call: Call = {
          service,
          scope: { caller, unitId: context.unitId, permission },
          resource: resource.name,
          version,
          path,
          query: exchange.address.query,
          itemId: Object.values(exchange.variables)[0] ?? "",
        };
        const readBody = implementation(call);
        authorize(context, permission);
        return readBody;
      }),
  };
}

/** Discovery speaks of all resources, so its versions are those that any of them has. */
function discoveryEndpoint(service: Service, sent: Memory<Sent>): Endpoint {
  const versions = [...new Set(resources.flatMap(supportedVersions))].sort((a, b) => b - a);
  const offer: VersionOffer = {
    vendor: service.vendor,
    resource: "*",
    supported: versions,
    preferred: 1,
    withoutAccept: Math.max(...versions),
  };
  return {
    name: discovery.id,
    path: discovery.path,
    answer: (exchange) =>
      answerOperation(exchange, offer, sent, (_version, _caller, { permissions }) => {
        const faults: Fault[] = [];
        parseParameters(exchange.address.query, [], faults);
        refuseAll(faults);
        const index = describeResources(resources, ({ permission }) => permissions.has(permission));
        return async () => ({ body: JSON.stringify(index), isCurrent: true });
      }),
  };
}

/** The way of a request: who, where, which version, what exactly, whether that is allowed, and only then the database. */
async function answerOperation(
  { service, request, address, seen, headers: sentHeaders }: Exchange,
  offer: VersionOffer,
  sent: Memory<Sent>,
  prepare: (version: number, caller: Caller, context: UnitContext) => () => Promise<Written>,
): Promise<Reply> {
  const { headers } = request;
  // What holds at this moment holds for the whole request, and whatever was committed before it counts.
  const stamp = await service.database.stamp();
  const caller = await authenticate(headers, stamp, service.checkToken);
  seen.caller = caller.tokenId;
  Object.assign(sentHeaders, service.limitRate(caller.tokenId));
  service.tokenUse.note(caller);
  const context = await chooseUnit(headers, unitHeader(service.vendor), caller, stamp, service.enterUnit);
  seen.unitId = context.unitId;
  const version = chooseVersion(headers.get("accept"), offer);
  // The same caller asking the same again before anything has changed gets the same, without any of the steps below.
  const key = `${caller.tokenId} ${context.unitId} ${offer.resource} ${version} ${address.path}?${address.query}`;
  const { body, etag } = await sent.recall(
    stamp,
    key,
    async () => {
      const { body, essence, isCurrent } = await prepare(version, caller, context)();
      return { body, etag: etagOf(body, essence), isCurrent };
    },
    ({ isCurrent }) => isCurrent,
  );
  const isUnchanged = isKnown(headers.get("if-none-match"), etag);
  return {
    status: isUnchanged ? 304 : 200,
    headers: {
      "Content-Type": versionedMediaType(service.vendor, offer.resource, version),
      ETag: etag,
    },
    body: isUnchanged ? null : body,
  };
}
