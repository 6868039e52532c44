import type { Random } from "./random";

/** Makes UUIDs of version 7: they sort by the time that each is made for, and those of one millisecond in turn. */
export function createOrderedIds(random: Random): (at: number) => string {
  let latest = -1;
  let turn = 0;
  return (at) => {
    turn = at === latest ? turn + 1 : 0;
    latest = at;
    const time = at.toString(16).padStart(12, "0");
    const variant = "89ab"[random.whole(0, 3)];
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(turn, 3)}-${variant}${hex(random.whole(0, 0xfff), 3)}-${hex(random.whole(0, 0xffffff), 6)}${hex(random.whole(0, 0xffffff), 6)}`;
  };
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}
