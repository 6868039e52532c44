import { type Client, HoldfastError, type ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { changeVerb } from "../../grammar/change-verb";
import { resourceNoun } from "../../grammar/resource-noun";
import { moment, some } from "../../output/facts";
import { explain } from "../../output/write";
import { resealCommand } from "./key-reseal";

type Key = ItemOf<"keys", "read-key">;

const keyArgument = ["kid", "The key, as holdfast key list shows it."] as const;

/** Signing keys. */
export function keyCommand(): Command {
  return resourceNoun<"keys", Key & { kid?: string }>({
    name: "key",
    description: "The keys that tokens are signed with.",
    resource: "keys",
    calls: ({ keys }) => keys,
    argument: keyArgument,
    find: async (_, kid) => kid,
    rows: (keys) => keys.map((key) => ({ kid: key.id, ...key })),
    columns: [
      "kid",
      { name: "state", title: "STATE", value: ({ is_signing }) => (is_signing ? "signs" : "checks") },
      "created_timestamp",
      { name: "replaced_timestamp", title: "REPLACED" },
      { name: "expires_timestamp", title: "EXPIRES" },
    ],
    facts: (key) => [
      ["Key", key.id],
      ["State", key.is_signing ? "signs new tokens" : "checks tokens that it has signed"],
      ["Kind", String(key.public_key.crv ?? key.public_key.kty)],
      ["Public half", String(key.public_key.x)],
      ["Created", moment(key.created_timestamp)],
      ...some("Replaced", moment(key.replaced_timestamp)),
      ...some("Expires", moment(key.expires_timestamp)),
    ],
    list: {
      description:
        "List the signing keys: the one that signs, and older ones until the last token that they signed dies.",
      isGlobal: true,
      examples: ["holdfast key", "holdfast key list -o json"],
    },
    show: {
      description: "Show a signing key, its public half.",
      examples: ["holdfast key show hf-Zm9vYmFyYmF6"],
    },
    verbs: [
      changeVerb<Key, object>({
        name: "rotate",
        description:
          "Sign with a new key from now on and print its kid. Tokens that exist stay good until they expire.",
        examples: ["holdfast key rotate"],
        prints: "the kid",
        async change({ client }) {
          const item = await client.keys.rotate();
          return { item, result: item.id };
        },
      }),
      retireKey(),
      resealCommand(),
    ],
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
