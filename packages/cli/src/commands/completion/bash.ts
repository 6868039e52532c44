import type { DescribedCommand } from "../../grammar/describe-commands";
import { aliasesOf, findPlace, placesOf, quoted, takesFile } from "./places";

/** The script for bash. It needs nothing but bash itself. */
export function bashCompletion(program: DescribedCommand): string {
  const places = placesOf(program);
  const aliases = aliasesOf(program).map(([alias, name]) => `      ${alias}) word=${name} ;;`);
  const known = places.filter(({ path }) => path !== "").map(({ path }) => `      ${quoted(path)}) at=$next ;;`);
  const offers = places.map(({ path, commands, options, words }) => {
    const flags = options.flatMap(({ short, long }) => [...(short ? [short] : []), long]);
    const names = [...commands.map(({ name }) => name), ...words];
    return `    ${quoted(path)}) names=${quoted(names.join(" "))}; flags=${quoted(flags.join(" "))} ;;`;
  });
  const values = new Map<string, string>();
  for (const { path, options } of places) {
    for (const option of options) {
      const key = `${path}:${option.long}`;
      if (option.words.length > 0) values.set(key, `words=${quoted(option.words.join(" "))}`);
      else if (takesFile(option)) values.set(key, "words=; files=1");
      else if (option.value !== undefined) values.set(key, "words=");
    }
  }
  const followed = [...values].map(([key, act]) => `    ${quoted(key)}) ${act}; return 0 ;;`);
  return `# Completes holdfast in bash. Made by: holdfast completion bash

_holdfast_follows() {
  case "$1" in
${followed.join("\n")}
  esac
  return 1
}

_holdfast() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local at= next word index names flags words files=
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
${findPlace(aliases, known)}
  done
  [[ $previous == -o ]] && previous=--output
  if _holdfast_follows "$at:$previous"; then
    # A list of values takes commas: what is before the last one stays.
    local before=
    [[ $current == *,* ]] && before=\${current%,*},
    if [[ -n $files ]]; then
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
    else
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "\${current##*,}")
    fi
    return
  fi
  case $at in
${offers.join("\n")}
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
  fi
}

complete -o default -F _holdfast holdfast
`;
}
