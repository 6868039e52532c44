import type { DescribedCommand } from "../../grammar/describe-commands";
import { aliasesOf, placesOf, shortly, takesFile } from "./places";

/** The script for fish. */
export function fishCompletion(program: DescribedCommand): string {
  const places = placesOf(program);
  const aliases = aliasesOf(program).map(([alias, name]) => `        case ${alias}\n            set word ${name}`);
  const known = places.filter(({ path }) => path !== "").map(({ path }) => escaped(path));
  const lines = places.flatMap(({ path, commands, options, words }) => {
    const here = `complete -c holdfast -n ${escaped(`__holdfast_at ${escaped(path)}`)}`;
    return [
      ...commands.map(({ name, description }) => `${here} -f -a ${name} -d ${escaped(shortly(description))}`),
      ...(words.length > 0 ? [`${here} -f -a ${escaped(words.join(" "))}`] : []),
      ...options.map((option) => {
        const { short, long, value, description } = option;
        const name = `${short ? ` -s ${short.slice(1)}` : ""} -l ${long.replace(/^--/, "")}`;
        const takes = value === undefined ? "" : takesFile(option) ? " -r -F" : " -x";
        const choice = option.words.length > 0 ? ` -a ${escaped(option.words.join(" "))}` : "";
        return `${here}${name}${takes}${choice} -d ${escaped(shortly(description))}`;
      }),
    ];
  });
  return `# Completes holdfast in fish. Made by: holdfast completion fish

function __holdfast_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        if test -z "$at"
            switch $word
${aliases.map((line) => line.replaceAll("        ", "                ")).join("\n")}
            end
        end
        set -l next (string trim -- "$at $word")
        if contains -- $next ${known.join(" ")}
            set at $next
        end
    end
    test "$at" = "$argv[1]"
end

${lines.join("\n")}
`;
}

/** A text in single quotes, as fish reads them. */
function escaped(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
