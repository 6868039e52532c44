/** A file that was built. */
export interface BuiltScript {
  name: string;
  /** Its size in bytes, packed with gzip. */
  gzip: number;
  text: string;
  /** True if the page loads it at once. */
  isEntry: boolean;
}

/** The most that may be loaded, in kilobytes of gzip. */
const budgets = { entry: 215, onePage: 260, allPages: 340, styles: 36, largestPage: 40 } as const;

/** Files that are larger than allowed. */
export function budgetFaults(files: readonly BuiltScript[]): string[] {
  const scripts = files.filter(({ name }) => name.endsWith(".js"));
  const styles = files.filter(({ name }) => name.endsWith(".css"));
  const first = loadedWith(
    scripts,
    scripts.filter(({ isEntry }) => isEntry),
  );
  const lazy = scripts.filter((script) => !first.has(script));
  const pages = lazy.map((script) => [script.name, sizeOf(loadedWith(scripts, [script], first))] as const);
  const entry = sizeOf(first);
  const faults: string[] = [];
  const compare = (what: string, size: number, max: number) => {
    if (size > max * 1000) faults.push(`${what}: ${(size / 1000).toFixed(1)} kB of gzip, at most ${max} are allowed.`);
  };
  compare("The script of every page", entry, budgets.entry);
  compare("All scripts", sizeOf(scripts), budgets.allPages);
  compare("All styles", sizeOf(styles), budgets.styles);
  for (const [name, size] of pages) {
    compare(`The first load with ${name}`, entry + size, budgets.onePage);
    compare(name, size, budgets.largestPage);
  }
  return faults;
}

/** Scripts and what they import at once, without what is loaded already. */
function loadedWith(
  scripts: readonly BuiltScript[],
  begin: readonly BuiltScript[],
  without: ReadonlySet<BuiltScript> = new Set(),
): Set<BuiltScript> {
  const loaded = new Set<BuiltScript>();
  const waiting = [...begin];
  for (let script = waiting.pop(); script; script = waiting.pop()) {
    if (loaded.has(script) || without.has(script)) continue;
    loaded.add(script);
    const { text } = script;
    waiting.push(...scripts.filter(({ name }) => new RegExp(`(from|import)\\s*"\\./${name}"`).test(text)));
  }
  return loaded;
}

function sizeOf(files: Iterable<BuiltScript>): number {
  return [...files].reduce((sum, { gzip }) => sum + gzip, 0);
}
