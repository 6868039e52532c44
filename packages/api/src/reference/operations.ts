import type { FilterFields } from "../conventions/filter";
import type { Operation, Resource } from "../conventions/operation";

/** An operation with every version of it, newest first: what is shown as one thing to a reader. */
export interface DocumentedOperation {
  resource: Resource;
  /** Declaration in its newest version. */
  newest: Operation;
  versions: readonly { version: number; operation: Operation }[];
}

/** All operations of the resources, in the order in which they are declared. */
export function documentedOperations(resources: readonly Resource[]): DocumentedOperation[] {
  return resources.flatMap((resource) => {
    const declared = [...resource.versions]
      .sort((a, b) => b.version - a.version)
      .flatMap(({ version, operations }) => operations.map((operation) => ({ version, operation })));
    const byId = Map.groupBy(declared, ({ operation }) => operation.id);
    return [...byId.values()].flatMap((versions) => {
      const newest = versions[0]?.operation;
      return newest ? [{ resource, newest, versions }] : [];
    });
  });
}

/** The fields that any version of an operation can be filtered by; the newest version has the last word. */
export function filtersOf({ versions }: DocumentedOperation): FilterFields {
  return Object.assign(
    {},
    ...versions.toReversed().map(({ operation }) => ("filters" in operation ? operation.filters : {})),
  );
}

/** The names of the variables of a path: `user_id` of `/users/{user_id}`. */
export function variablesOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].flatMap((match) => match[1] ?? []);
}
