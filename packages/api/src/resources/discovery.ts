import { z } from "zod";
import { isTemplated, type Operation, type Resource, supportedVersions } from "../conventions/operation";

const operationDescriptor = z.object({
  href: z.string().describe("Path of the operation."),
  type: z.string().describe("HTTP method, lower case."),
  templated: z.boolean().describe("Whether `href` is a URI template."),
});

const resourceEntry = z
  .object({ supported_versions: z.array(z.string()).describe("The versions of the resource, newest first.") })
  .catchall(z.record(z.string(), operationDescriptor).describe("The operations of one version, by operation id."));

/** Response of `GET /`: resources by name. */
export const discoveryIndex = z.record(z.string(), resourceEntry);

export type DiscoveryIndex = Record<string, Record<string, string[] | Record<string, OperationDescriptor>>>;

type OperationDescriptor = z.infer<typeof operationDescriptor>;

/** The operation that finds all others. It stands outside the resources, so it has no entry in its own index. */
export const discovery = {
  id: "read-discovery",
  path: "/",
  summary: "List the resources, versions and operations that the caller may use.",
  inBrowser:
    "Without `Authorization`, and where `Accept` has `text/html` at a higher `q` than anything of the API, it answers 303 and leads to the console.",
} as const;

/** Builds the index of what a caller may call. A resource of which nothing is left is left out. */
export function describeResources(
  resources: readonly Resource[],
  mayCall: (operation: Operation) => boolean,
): DiscoveryIndex {
  const index: DiscoveryIndex = {};
  for (const resource of resources) {
    const versions = [...resource.versions].sort((a, b) => b.version - a.version);
    const callable = versions.map(({ version, operations }): [string, Record<string, OperationDescriptor>] => [
      `v${version}`,
      Object.fromEntries(operations.filter(mayCall).map((operation) => [operation.id, describe(operation)])),
    ]);
    if (callable.some(([, operations]) => Object.keys(operations).length > 0)) {
      index[resource.name] = {
        supported_versions: supportedVersions(resource).map((version) => `v${version}`),
        ...Object.fromEntries(callable),
      };
    }
  }
  return index;
}

function describe({ path, method }: Operation): OperationDescriptor {
  return { href: path, type: method, templated: isTemplated(path) };
}
