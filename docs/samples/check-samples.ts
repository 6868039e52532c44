import { errorCatalogue } from "@holdfast/api/conventions/error-catalogue";
import { isCut } from "./is-cut";
import type { Sample } from "./read-samples";

/** Says what is wrong with a sample that is not run; nothing where it is right. */
type Check = (sample: Sample) => string | undefined;

/**
 * Checks of the samples of a language. A language that is missing here fails the test: add a line for it, with the parser or
 * the program that knows it.
 */
export const checks: Record<string, Check> = {
  json: checkJson,
  yaml: ({ text }) => problemOf(() => Bun.YAML.parse(text)),
  // samples-types.long.test.ts compiles them; examples.slow.test.ts of the client runs those of its reference.
  ts: () => undefined,
  // Run by the page (sh), or shown as it came out of a command (text, and blocks without a language).
  sh: () => undefined,
  text: () => undefined,
  "": () => undefined,
  // systemd-units.test.ts
  ini: ({ text }) => (/^(\[\w+\]|\w+=.*|#.*|)$/m.test(text) ? undefined : "This is no unit file."),
  // proxy-files.test.ts compares them with files that the tests of proxies start.
  nginx: () => undefined,
  caddy: () => undefined,
  haproxy: () => undefined,
  sql: ({ text }) => (/;\s*$/.test(text) ? undefined : "A statement ends with a semicolon."),
  diff: ({ text }) =>
    /^([-+ ].*\n)+$/.test(text) ? undefined : "Each line of a difference begins with +, - or a space.",
};

const codes = new Set<number>(Object.values(errorCatalogue).map(({ code }) => code));

/** JSON as it is, as several lines of it, or with parts left out that `…` stands for. */
function checkJson({ text }: Sample): string | undefined {
  for (const [, code = ""] of text.matchAll(/"error_code": ?([0-9]+)/g)) {
    if (!codes.has(Number(code))) return `There is no error code ${code}.`;
  }
  if (isCut(text)) return undefined;
  const whole = withoutGaps(text);
  return (
    problemOf(() => JSON.parse(whole)) &&
    problemOf(() =>
      whole
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    )
  );
}

/** JSON without the marks that stand for what was left out. Those inside of texts stay. */
function withoutGaps(text: string): string {
  return text
    .replaceAll(/:\s*…/g, ":null")
    .replaceAll(/,\s*…(?=\s*[,\]}])/g, "")
    .replaceAll(/([[{])\s*…\s*(?:,|(?=[\]}]))/g, "$1");
}

function problemOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
