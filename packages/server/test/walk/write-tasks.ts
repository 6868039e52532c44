import { openByUrl } from "../folder-database";
import { createDice } from "../random";
import { createCrowd, livingTask } from "./crowd";

// A process of its own: inserts, finishes and deletes tasks until it is told to stop, then says what it has done.
const [url = "", seedText = "", unitId = "", countText = ""] = process.argv.slice(2);
const dice = createDice(Number(seedText));
const first = Array.from({ length: Number(countText) }, (_, index) => livingTask(index, dice, unitId));
const database = await openByUrl(url);
const crowd = createCrowd([database], first, dice, unitId);
let isOver = false;
process.on("SIGTERM", () => {
  isOver = true;
});
let acts = 0;
for (; !isOver; await Bun.sleep(0)) {
  await crowd.act();
  acts += 1;
  if (acts === 1) process.stdout.write("writing\n");
}
await database.close();
const done = { acts, steady: crowd.steady(), arrived: [...crowd.arrived] };
process.stdout.write(`${JSON.stringify(done)}\n`);
