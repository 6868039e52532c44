import { Command } from "commander";
import { withConnection } from "../connection/with-connection";
import { addConnectionOptions, addUnitOption } from "../grammar/connection-options";
import { addExamples } from "../grammar/noun";
import { actingIn } from "../lookups/units";
import { formatOf, type OutputFlags, outputOptions } from "../output/output-format";
import { printItems } from "../output/print-items";
import { writeLine } from "../output/write";
import { visible, visibleJson } from "../terminal/visible";

/** An operation that may be called. */
interface Offered {
  resource: string;
  version: string;
  operation: string;
  method: string;
  path: string;
}

/** Prints what may be called. */
export function discoverCommand(): Command {
  const command = new Command("discover").description("Print what you may call of the API, as a tree.");
  for (const option of outputOptions("a tree")) command.addOption(option);
  addUnitOption(command, "The organizational unit to look from. (default: that of the token)");
  addExamples(command, ["holdfast discover", "holdfast discover -o json"]);
  command.action((flags: OutputFlags & { unit?: string }) =>
    withConnection(command, async ({ client: unscoped }) => {
      const client = await actingIn(unscoped, flags.unit);
      const index = await client.discover();
      const format = formatOf(flags);
      if (format === "json") return writeLine(visibleJson(JSON.stringify(index, null, 2)));
      const offered = Object.entries(index).flatMap(([resource, { supported_versions, ...versions }]) =>
        supported_versions.flatMap((version) =>
          Object.entries(versionIn(versions, version)).map(([operation, { type, href }]): Offered => {
            return { resource, version, operation, method: type.toUpperCase(), path: href };
          }),
        ),
      );
      if (format !== undefined && format !== "table") return printItems(format, offered, shape);
      for (const line of drawTree(offered)) await writeLine(line);
    }),
  );
  return addConnectionOptions(command);
}

type Operations = Readonly<Record<string, { type: string; href: string }>>;

function versionIn(versions: Readonly<Record<string, Operations>>, version: string): Operations {
  return versions[version] ?? {};
}

const shape = {
  id: ({ operation }: Offered) => operation,
  columns: (["resource", "version", "operation", "method", "path"] as const).map((name) => ({
    name,
    title: name.toUpperCase(),
    value: (one: Offered) => one[name],
  })),
};

/** Resources, below them their versions, and below those what may be called. */
function drawTree(offered: readonly Offered[]): string[] {
  const width = Math.max(0, ...offered.map(({ operation }) => operation.length));
  const lines: string[] = [];
  for (const [resource, ofResource] of Map.groupBy(offered, (one) => one.resource)) {
    lines.push(visible(resource));
    const versions = [...Map.groupBy(ofResource, (one) => one.version)];
    for (const [at, [version, operations]] of versions.entries()) {
      const isLastVersion = at === versions.length - 1;
      lines.push(`${isLastVersion ? "└─" : "├─"} ${visible(version)}`);
      for (const [index, { operation, method, path }] of operations.entries()) {
        const branch = index === operations.length - 1 ? "└─" : "├─";
        const text = `${operation.padEnd(width)}  ${method.padEnd(6)}  ${path}`;
        lines.push(`${isLastVersion ? " " : "│"}  ${branch} ${visible(text)}`);
      }
    }
  }
  return lines;
}
