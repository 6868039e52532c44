import { type Client, HoldfastError, type ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { changeVerb } from "../../grammar/change-verb";
import { type ListFlags, listVerb, pageSize } from "../../grammar/list-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { moment, some } from "../../output/facts";
import { minute } from "../../output/moments";
import { explain } from "../../output/write";
import { resealCommand } from "./key-reseal";

type Key = ItemOf<"keys", "read-key">;

const keyArgument = ["kid", "The key, as holdfast key list shows it."] as const;

/** Signing keys. */
export function keyCommand(): Command {
  return noun("key", "The keys that tokens are signed with.", [
    listKeys(),
    showVerb({
      description: "Show a signing key, its public half.",
      argument: keyArgument,
      examples: ["holdfast key show hf-Zm9vYmFyYmF6"],
      read: (client, kid) => client.keys.read(kid),
      id: ({ id }) => id,
      facts: (key) => [
        ["Key", key.id],
        ["State", key.is_signing ? "signs new tokens" : "checks tokens that it has signed"],
        ["Kind", String(key.public_key.crv ?? key.public_key.kty)],
        ["Public half", String(key.public_key.x)],
        ["Created", moment(key.created_timestamp)],
        ...some("Replaced", moment(key.replaced_timestamp)),
        ...some("Expires", moment(key.expires_timestamp)),
      ],
    }),
    changeVerb<Key, object>({
      name: "rotate",
      description: "Sign with a new key from now on and print its kid. Tokens that exist stay good until they expire.",
      examples: ["holdfast key rotate"],
      prints: "the kid",
      async change({ client }) {
        const item = await client.keys.rotate();
        return { item, result: item.id };
      },
    }),
    retireKey(),
    resealCommand(),
  ]);
}

function listKeys(): Command {
  return listVerb<Key, ListFlags, Key & { kid: string }>({
    description:
      "List the signing keys: the one that signs, and older ones until the last token that they signed dies.",
    usualLimit: "all",
    isGlobal: true,
    examples: ["holdfast key", "holdfast key list -o json"],
    list: (client, flags) => client.keys.list({ limit: pageSize(flags, "all") }),
    rows: (keys) => keys.map((key) => ({ kid: key.id, ...key })),
    shape: () => ({
      id: ({ id }) => id,
      columns: [
        { name: "kid", title: "KID", value: ({ id }) => id },
        { name: "state", title: "STATE", value: ({ is_signing }) => (is_signing ? "signs" : "checks") },
        ...(["created_timestamp", "replaced_timestamp", "expires_timestamp"] as const).map((name, at) => ({
          name,
          title: ["CREATED (UTC)", "REPLACED", "EXPIRES"][at] ?? "",
          value: (key: Key) => key[name] ?? "",
          text: (key: Key) => minute(key[name]),
        })),
      ],
    }),
  });
}

/** The key that signs now; nothing where the caller's own token is refused since. */
async function findSigning(client: Client): Promise<Key | undefined> {
  try {
    return (await client.keys.list().first(1))[0];
  } catch (error) {
    if (error instanceof HoldfastError && error.status === 401) return undefined;
    throw error;
  }
}

function retireKey(): Command {
  return changeVerb<Key, object>({
    name: "retire",
    description:
      "Refuse every token that a key has signed, from now on. If it is the one that signs, a new one takes over: its kid is printed.",
    argument: keyArgument,
    examples: ["holdfast key retire hf-Zm9vYmFyYmF6"],
    prints: "the kid of a new key",
    async change({ client }, kid) {
      const wasSigning = await client.keys.read(kid).then(({ is_signing }) => is_signing);
      await client.keys.retire(kid);
      if (!wasSigning) return {};
      const item = await findSigning(client);
      if (!item) explain("Your own token was signed with that key. Log in with a new one: holdfast login");
      return { item, result: item?.id };
    },
  });
}
