import { uuidV7 } from "@holdfast/api/conventions/uuid";
import type { Random } from "./random";

/** Makes UUIDs of version 7: they sort by the time that each is made for, and those of one millisecond in turn. */
export function createOrderedIds(random: Random): (at: number) => string {
  let latest = -1;
  let turn = 0;
  return (at) => {
    turn = at === latest ? turn + 1 : 0;
    latest = at;
    const short = random.whole(0, 3) * 2 ** 12 + random.whole(0, 2 ** 12 - 1);
    const long = random.whole(0, 2 ** 24 - 1) * 2 ** 24 + random.whole(0, 2 ** 24 - 1);
    return uuidV7(at, turn, short, long);
  };
}
