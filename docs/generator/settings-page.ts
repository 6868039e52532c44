import { settingDeclarations, settingNames } from "@holdfast/server/settings/declarations";
import { code, page, table } from "./markdown";

export function settingsPage(): string {
  return page("Settings", [
    "A setting can be given as a flag, in the environment or in a file; a flag wins over the environment, and that over the file. The file is `holdfast.json` in the working folder, or the one that `--config` or `HOLDFAST_CONFIG` names: one JSON object, with the names of the first column as keys. One in the working folder is refused where it is another user's or others can write to it. A secret has no flag, and an address with a password in it is refused as one, because others on the machine can read a process's flags.",
    table(
      ["Setting", "Flag", "Environment", "Default", "Meaning"],
      settingNames.map((name) => {
        const { value, isSecret, default: standard = "", description } = settingDeclarations[name];
        return [
          code(name),
          isSecret ? "" : code(`--${name.replaceAll("_", "-")} <${value}>`),
          code(`HOLDFAST_${name.toUpperCase()}`),
          code(standard),
          description,
        ];
      }),
    ),
  ]);
}
