import { listSigningKeys } from "@holdfast/server/access/tokens/signing-keys";
import { retiredKey } from "@holdfast/server/resources/keys/audit-views";
import { Command } from "commander";
import { makeChange } from "../make-change";
import { openForCommand } from "../open-for-command";
import { formatJson, formatMinute, formatMoment, formatTable, printResult } from "../output";
import { addSettingOptions } from "../settings-options";
import { resealCommand } from "./key-reseal";

export function keyCommand(): Command {
  return new Command("key")
    .description("The keys that tokens are signed with.")
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(retireCommand())
    .addCommand(resealCommand());
}

function listCommand(): Command {
  const command = new Command("list")
    .description(
      "List the signing keys: the one that signs, and older ones until the last token that they signed dies.",
    )
    .option("--json", "Print one JSON array.")
    .action(({ json }: { json?: true }) =>
      openForCommand(command, async ({ database, now }) => {
        const keys = await database.snapshot((db) => listSigningKeys(db, now));
        printResult(
          json
            ? formatJson(
                keys.map((key) => ({
                  kid: key.kid,
                  is_signing: key.replacedAt === null,
                  created_timestamp: formatMoment(key.createdAt),
                  replaced_timestamp: formatMoment(key.replacedAt),
                  expires_timestamp: formatMoment(key.expiresAt),
                  public_key: key.publicKey,
                })),
              )
            : formatTable(
                [
                  { title: "KID", text: (key) => key.kid },
                  { title: "STATE", text: (key) => (key.replacedAt === null ? "signs" : "checks") },
                  { title: "CREATED (UTC)", text: (key) => formatMinute(key.createdAt) },
                  { title: "REPLACED", text: (key) => formatMinute(key.replacedAt) },
                  { title: "EXPIRES", text: (key) => formatMinute(key.expiresAt) },
                ],
                keys,
              ),
        );
      }),
    );
  return addSettingOptions(command);
}

function rotateCommand(): Command {
  const command = new Command("rotate")
    .description("Sign with a new key from now on and print its kid. Tokens that exist stay good until they expire.")
    .action(() =>
      makeChange(
        command,
        "rotate-key",
        () => ({}),
        ({ object }) => printResult(object.id),
      ),
    );
  return addSettingOptions(command);
}

function retireCommand(): Command {
  const command = new Command("retire")
    .description(
      "Refuse every token that a key has signed, from now on. If it is the one that signs, a new one takes over: its kid is printed.",
    )
    .argument("<kid>", "The key, as holdfast key list shows it.")
    .action((kid: string) =>
      makeChange(
        command,
        "retire-key",
        () => ({ variables: { key_id: kid } }),
        ({ after }) => {
          const { signs_from_now_on: successor } = retiredKey.parse(after);
          if (successor !== undefined) printResult(successor);
        },
      ),
    );
  return addSettingOptions(command);
}
