import { findUserId } from "@holdfast/server/resources/users/store";
import { Command } from "commander";
import { makeChange, shownOnce } from "../make-change";
import { printResult } from "../output";
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
      makeChange(
        command,
        "invite-user",
        async (db) => ({ variables: { user_id: (await findUserId(db, user)) ?? user } }),
        (changed) => printResult(shownOnce(changed, "invitation_link")),
      ),
    );
  return addSettingOptions(command);
}
