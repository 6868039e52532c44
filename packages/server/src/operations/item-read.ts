import { type Fault, refuse, refuseAll } from "@holdfast/api/conventions/api-error";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { canBeStored } from "../lists/comparisons";
import type { ListScope, Snapshot } from "../lists/list-source";
import { quickWork } from "../lists/work";
import { type PathVariables, variableOf } from "./path-variables";
import { type Call, type Implementation, type Renderers, rendererOf } from "./read";

/**
 * Implements reading one item, which the named variable of the path has the id of. What the caller may not see answers
 * like what does not exist.
 */
export function implementRead<Row>(
  variable: string,
  find: (snapshot: Snapshot, scope: ListScope, id: string, variables: PathVariables) => Promise<Row | undefined>,
  noun: string,
  renderers: Renderers<Row>,
): Implementation {
  return {
    parse: takeNoParameters,
    async read({ parts, scope, version, variables }, _, signal) {
      const write = rendererOf(renderers, version);
      const id = canonicalId(variableOf(variables, variable));
      const row = canBeStored(id)
        ? await parts.database.snapshot((db, { dataVersions }) =>
            find({ db, dataVersions, work: quickWork(signal, 0) }, scope, id, variables),
          )
        : undefined;
      if (row === undefined) throw refuse("itemUnknown", `There is no such ${noun}, or you may not see it.`);
      return { body: write(row) };
    },
  };
}

/** Implements reading the one thing that there is of its kind. */
export function implementSingle<Row>(
  find: (snapshot: Snapshot, scope: ListScope) => Promise<Row>,
  renderers: Renderers<Row>,
): Implementation {
  return {
    parse: takeNoParameters,
    async read({ parts, scope, version }, _, signal) {
      const write = rendererOf(renderers, version);
      const row = await parts.database.snapshot((db, { dataVersions }) =>
        find({ db, dataVersions, work: quickWork(signal, 0) }, scope),
      );
      return { body: write(row) };
    },
  };
}

function takeNoParameters({ query }: Call): void {
  const faults: Fault[] = [];
  parseParameters(query, [], faults);
  refuseAll(faults);
}
