import { type CallInput, type Calls, type NamedOperation, readText, sendChange, sendRepeatable } from "./calls";
import type { WantedVersions } from "./declared";
import { type ListOptions, listItems } from "./list-items";
import { callTable, type Resources } from "./resources";
import { randomUuid } from "./uuid";
import { type WatchOptions, watchItems } from "./watch-items";

type Options = CallInput & ListOptions<unknown, string> & WatchOptions<unknown>;
type Act = (calls: Calls, operation: NamedOperation, options: Options, body: unknown) => unknown;

const acts: Readonly<Record<string, Act>> = {
  list: listItems,
  read: sendRepeatable,
  text: readText,
  watch: watchItems,
  write: sendChange,
  report: sendRepeatable,
};

/** Makes the methods of all resources. */
export function createResources<Versions extends WantedVersions>(calls: Calls): Resources<Versions> {
  const resources = Object.entries(callTable).map(([key, [builtFor, entries]]) => {
    const resource = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const version = calls.versions[resource] ?? builtFor;
    const methods = Object.entries(entries).map(([method, entry]) => [
      method,
      methodOf(calls, { resource, version }, entry),
    ]);
    return [key, { value: Object.fromEntries(methods), enumerable: true }];
  });
  // The table and the types are generated together.
  return Object.create(null, Object.fromEntries(resources));
}

function methodOf(calls: Calls, resource: Omit<NamedOperation, "id">, entry: string): (...given: unknown[]) => unknown {
  const [kind = "", id = "", ...words] = entry.split(" ");
  const act = acts[kind];
  const parameters = words.flatMap((word) => (word.startsWith("?") ? word.slice(1) : []));
  return (...given) => {
    // The values of the path's variables come first, then the body.
    const count = given.findIndex((one) => typeof one !== "string");
    const ids = count < 0 ? given : given.slice(0, count);
    const rest = given.slice(ids.length);
    const own = words.includes("id") ? { id: randomUuid() } : {};
    const body = words.includes("body") ? { ...own, ...Object(rest.shift()) } : undefined;
    const options = Object(rest[0]);
    const query = Object.fromEntries(parameters.map((name) => [name, options[optionOf(name)]?.toString()]));
    return act?.(calls, { ...resource, id }, { ...options, ids, query }, body);
  };
}

function optionOf(parameter: string): string {
  return parameter.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
