import type { DescribedCommand } from "../../grammar/describe-commands";
import { aliasesOf, findPlace, placesOf, quoted, shortly, takesFile } from "./places";

/** The script for zsh. */
export function zshCompletion(program: DescribedCommand): string {
  const places = placesOf(program);
  const aliases = aliasesOf(program).map(([alias, name]) => `      ${alias}) word=${name} ;;`);
  const known = places.filter(({ path }) => path !== "").map(({ path }) => `      ${quoted(path)}) at=$next ;;`);
  const offers = places.map(({ path, commands, options, words }) => {
    const names = [...commands.map(({ name, description }) => described(name, description)), ...words.map(quoted)];
    const flags = options.map(({ long, description }) => described(long, description));
    return `    ${quoted(path)})\n      names=(${names.join(" ")})\n      flags=(${flags.join(" ")}) ;;`;
  });
  const values = new Map<string, string>();
  for (const { path, options } of places) {
    for (const option of options) {
      const key = quoted(`${path}:${option.long}`);
      if (option.words.length > 0) values.set(key, `_values -s , value ${option.words.map(quoted).join(" ")}`);
      else if (takesFile(option)) values.set(key, "_files");
      else if (option.value !== undefined) values.set(key, "_message value");
    }
  }
  const followed = [...values].map(([key, act]) => `    ${key}) ${act}; return ;;`);
  return `#compdef holdfast
# Completes holdfast in zsh. Made by: holdfast completion zsh

_holdfast() {
  local at= next word previous=\${words[CURRENT-1]}
  local -a names flags
  for word in \${words[2,CURRENT-1]}; do
${findPlace(aliases, known)}
  done
  [[ $previous == -o ]] && previous=--output
  case "$at:$previous" in
${followed.join("\n")}
  esac
  case $at in
${offers.join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option flags
  elif (( \${#names} )); then
    _describe command names
  else
    _files
  fi
}

if [[ $funcstack[1] == _holdfast ]]; then
  _holdfast "$@"
else
  compdef _holdfast holdfast
fi
`;
}

function described(name: string, description: string): string {
  return quoted(`${name.replaceAll(":", "\\:")}:${shortly(description)}`);
}
