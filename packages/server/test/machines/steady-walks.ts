import type { Answered } from "../harness";
import { type Faults, findFaults } from "../walk/walk-while";
import type { Machines } from "./start-machines";

/** One walk through all tasks. */
export interface Walk extends Faults {
  pages: number;
  /** Number of times that a page was refused for now. */
  refusals: number;
}

/** Knowledge about tasks by those who report them: moments are those of Date.now(). */
export interface KnownTask {
  id: string;
  /** Before the first report was sent. */
  begun: number;
  isAcknowledged: boolean;
}

export interface SteadyWalks {
  walks: readonly Walk[];
  stop(): Promise<void>;
}

const limit = 10;
const pause = 60;

/** Starts to walk through all tasks, again and again. A page that is refused for now is asked for again. */
export function walkSteadily(
  { ask, viewer: token }: Machines,
  known: () => readonly KnownTask[],
  count: number,
): SteadyWalks {
  const walks: Walk[] = [];
  let isOver = false;

  async function askUntilAnswered(href: string, refuse: () => void): Promise<Answered> {
    for (;;) {
      const page = await ask(href, { token }).catch(() => undefined);
      if (page?.status === 200) return page;
      if (page && page.status !== 503) throw new Error(`${href} answered ${page.status}: ${page.text}`);
      refuse();
      await Bun.sleep(pause);
    }
  }

  async function walk(): Promise<void> {
    let refusals = 0;
    const refuse = () => {
      refusals += 1;
    };
    const owed = known().flatMap(({ id, isAcknowledged }) => (isAcknowledged ? [id] : []));
    const pages = [await askUntilAnswered(`/tasks?limit=${limit}`, refuse)];
    const firstDone = Date.now();
    for (let href = pages[0]?.body._links.next?.href; href !== undefined; ) {
      await Bun.sleep(pause);
      const page = await askUntilAnswered(href, refuse);
      pages.push(page);
      href = page.body._links.next?.href;
    }
    const late = known().flatMap(({ id, begun: since }) => (since > firstDone ? [id] : []));
    const crowd = { steady: () => owed, arrived: new Set(late), touched: new Set<string>(), act: async () => {} };
    walks.push({ ...findFaults(pages, crowd, owed), pages: pages.length, refusals });
  }

  async function walkAgainAndAgain(): Promise<void> {
    while (!isOver) await walk();
  }

  const walkers = Array.from({ length: count }, walkAgainAndAgain);
  return {
    walks,
    async stop() {
      isOver = true;
      await Promise.all(walkers);
    },
  };
}
