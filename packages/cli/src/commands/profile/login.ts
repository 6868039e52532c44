import type { Client, ItemOf } from "@holdfast/client";
import { defaultProfile, profilesPath } from "@holdfast/runner/profiles";
import { Refusal } from "@holdfast/server/settings/refusal";
import { Command } from "commander";
import { connectTo, loopback, refuseNoAddress } from "../../connection/with-connection";
import { addExamples } from "../../grammar/noun";
import { UsageError } from "../../grammar/usage-error";
import { minute } from "../../output/moments";
import { explain } from "../../output/write";
import { readProfiles, writeProfiles } from "../../remote/profiles";
import { ask } from "../../terminal/prompt";
import { visible } from "../../terminal/visible";

type Caller = ItemOf<"caller", "read-caller">;

/** A token is at most 4 KiB; what is longer was not meant. */
const maxTokenLength = 8192;

export function loginCommand(): Command {
  const command = new Command("login")
    .description("Keep an API token in a profile, so that commands ask its service.")
    .argument("[url]", "Where the service is. (default: HOLDFAST_URL, or who has issued the token)")
    .option(
      "--profile <name>",
      `The profile to keep it in. (default: ${defaultProfile}, env: HOLDFAST_PROFILE)`,
      parseProfileName,
    );
  addExamples(
    command,
    [
      "holdfast login https://backup.example.org",
      "holdfast login --profile lab < token.txt",
      "holdfast token create --local --kind service --name me --role admin | holdfast login",
    ],
    `
The token is asked for without showing it, or read from standard input. Make one in the console, or on the machine of the
service with: holdfast token create. It is kept in $XDG_CONFIG_HOME/holdfast/profiles.json, which only you can read.
HOLDFAST_TOKEN and HOLDFAST_URL win over every profile.`,
  );
  return command.action(async (given: string | undefined, { profile }: { profile?: string }) => {
    const url = given ?? (process.env.HOLDFAST_URL || undefined);
    if (url !== undefined) refuseNoAddress(url);
    const token = process.stdin.isTTY
      ? await ask("API token (it is not shown):", { isSecret: true })
      : await readInput();
    await logIn(url, token.trim(), profile ?? process.env.HOLDFAST_PROFILE ?? defaultProfile);
  });
}

function parseProfileName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw new UsageError("The name of a profile is 1 to 64 letters, digits, dots, dashes and underscores.");
}

async function readInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > maxTokenLength)
      throw new UsageError("Standard input is longer than a token. Give it the token alone.");
  }
  return text;
}

async function logIn(url: string | undefined, token: string, name: string): Promise<void> {
  if (token === "") throw new UsageError("There is no token. Type it, or give it on standard input.");
  const client = connectTo({ url, token });
  warnOfPlainText(client.baseUrl);
  const caller = await client.caller.read();
  const profiles = readProfiles(process.env);
  const byName = new Map(profiles.byName).set(name, { url: client.baseUrl, token });
  writeProfiles(process.env, { current: name, byName });
  explain(
    `Logged in to ${client.baseUrl} as ${nameOf(caller)}, until ${until(caller)}. Kept as the profile ${name} in ${profilesPath(process.env)}.`,
  );
  if (process.env.HOLDFAST_TOKEN)
    explain("HOLDFAST_TOKEN is set and wins over the profile. Unset it to use the profile.");
}

/** Over http anyone on the way can read the token, unless the way is inside this machine. */
function warnOfPlainText(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || loopback.includes(hostname)) return;
  explain(`The token is sent to ${hostname} unencrypted: others on the network can read it. Use https.`);
}

/** Who calls, in words. */
export function nameOf({ user, token, kind }: Pick<Caller, "user" | "token"> & { kind: string }): string {
  return visible(user ? `${user.full_name} <${user.email}>` : `the ${kind} token ${token?.name ?? ""}`);
}

/** Until when, in words. */
function until({ token }: Caller): string {
  return token ? `${minute(token.expires_timestamp)} UTC` : "the session ends";
}

export function logoutCommand(): Command {
  const command = new Command("logout")
    .description("Forget a profile and its token.")
    .option("--profile <name>", "The profile to forget. (default: the current one, env: HOLDFAST_PROFILE)")
    .option("--revoke", "Revoke the token, too: the service refuses it from then on.");
  addExamples(command, ["holdfast logout", "holdfast logout --profile lab --revoke"]);
  return command.action(async (flags: { profile?: string; revoke?: true }) => {
    const profiles = readProfiles(process.env);
    const name = flags.profile ?? process.env.HOLDFAST_PROFILE ?? profiles.current ?? defaultProfile;
    const profile = profiles.byName.get(name);
    if (!profile) throw new Refusal(`There is no profile ${name}. See: holdfast profiles`);
    if (flags.revoke) await revoke(connectTo(profile));
    const byName = new Map(profiles.byName);
    byName.delete(name);
    const [next] = byName.keys();
    writeProfiles(process.env, { current: profiles.current === name ? next : profiles.current, byName });
    explain(`The profile ${name} for ${profile.url} is forgotten.${flags.revoke ? " Its token is revoked." : ""}`);
  });
}

async function revoke(client: Client): Promise<void> {
  const { token } = await client.caller.read();
  if (token) await client.apiTokens.revoke(token.id);
}
