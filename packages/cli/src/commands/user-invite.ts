import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { createLink, invitationLife, invitationLink, voidLinks } from "@holdfast/server/access/one-time-links";
import { notedBaseUrl } from "@holdfast/server/access/tokens/noted-base-url";
import { findUserId } from "@holdfast/server/resources/users/store";
import { defaultBaseUrl } from "@holdfast/server/settings/settings";
import { Command } from "commander";
import { openForCommand } from "../open-for-command";
import { printResult } from "../output";
import { recordCommand } from "../record-command";
import { addSettingOptions } from "../settings-options";

export function inviteCommand(): Command {
  const command = new Command("invite")
    .description("Print a link with which a user sets a password: good once, for seven days. Older links become void.")
    .argument("<user>", "The user's e-mail address or id; see: holdfast user list")
    .addHelpText(
      "after",
      `
Example:
  $ holdfast user invite ada@example.org`,
    )
    .action((user: string) =>
      openForCommand(command, async (opened) => {
        const { database, settings, now } = opened;
        const link = await database.change(async (db) => {
          const id = await findUserId(db, user);
          await voidLinks(db, id);
          const secret = await createLink(db, "invitation", id, now, invitationLife);
          await recordCommand(db, opened, {
            operation: "invite-user",
            object: { type: "user", id },
            unitId: rootUnitId,
          });
          const baseUrl = settings.base_url ?? (await notedBaseUrl(db)) ?? defaultBaseUrl(settings.host, settings.port);
          return invitationLink(baseUrl, secret);
        });
        printResult(link);
      }),
    );
  return addSettingOptions(command);
}
