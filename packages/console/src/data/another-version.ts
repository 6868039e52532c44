import { version } from "./page-facts";

/** Thrown where a file of this version of the console is not there. */
export class FileMissing extends Error {}

/** Loads a part of the console. Where that fails, the router must not decide by itself what to do about it. */
export async function load<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading;
  } catch (error) {
    throw new FileMissing("A part of the console is not there.", { cause: error });
  }
}

const noteName = "holdfast-loaded-again";
/** A page that was loaded again so shortly ago is not loaded again by itself, in milliseconds. */
const shortly = 30_000;

/** Loads the page again, unless that was tried just now and did not help. Says whether it does. */
export function loadAgain(): boolean {
  const last = Number(sessionStorage.getItem(noteName)?.split(" ")[0] ?? 0);
  if (Date.now() - last < shortly) return false;
  sessionStorage.setItem(noteName, `${Date.now()} ${version}`);
  location.reload();
  return true;
}

/** What is to be said after the page was loaded again, once. */
export function newsAfterLoading(): string | undefined {
  const [at, before] = sessionStorage.getItem(noteName)?.split(" ") ?? [];
  if (at === undefined || before === "said") return undefined;
  sessionStorage.setItem(noteName, `${at} said`);
  return "Holdfast was updated. The page was loaded again.";
}
