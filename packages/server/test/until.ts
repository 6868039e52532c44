/** Waits until something is so. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, longest = 60_000): Promise<void> {
  for (const deadline = performance.now() + longest; performance.now() < deadline; await Bun.sleep(20)) {
    if (await isSo()) return;
  }
  throw new Error(`It took more than ${longest / 1000} s until ${what}.`);
}
