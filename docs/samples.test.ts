import { expect, test } from "bun:test";
import { checks } from "./samples/check-samples";
import { pages, placeOf, readPage, readSamples, samplesOf } from "./samples/read-samples";

const samples = pages().flatMap(samplesOf);
const commands = samples.filter(({ language }) => language === "sh");
const notRun = samples.filter((sample) => sample.notRun !== undefined);

const page = `Text

<!-- not run: it needs a moon -->
\`\`\`sh
fly
\`\`\`

1. \`/etc/a.json\`:

   \`\`\`json
   {"a":1}
   \`\`\`
   \`\`\`
   out
   \`\`\`
`;

test("samples are found with their place, their language, their file and why they are not run", () => {
  expect(readSamples("a.md", page)).toEqual([
    { page: "a.md", line: 4, language: "sh", text: "fly\n", isNear: false, file: undefined, notRun: "it needs a moon" },
    {
      page: "a.md",
      line: 10,
      language: "json",
      text: '{"a":1}\n',
      isNear: false,
      file: "/etc/a.json",
      notRun: undefined,
    },
    { page: "a.md", line: 13, language: "", text: "out\n", isNear: true, file: undefined, notRun: undefined },
  ]);
});

test("samples of every page are found, and no fence is left over", () => {
  expect(commands.length).toBeGreaterThan(200);
  const fences = pages().map((one) => `${one} ${samplesOf(one).length * 2}`);
  const counted = pages().map((one) => `${one} ${linesOf(one).filter((line) => /^ *```/.test(line)).length}`);
  expect(counted).toEqual(fences);
});

test("a sample in another language needs a check", () => {
  expect(samples.filter(({ language }) => !(language in checks)).map(placeOf)).toEqual([]);
});

test.each([
  ["json", '{"a":1,}'],
  ["json", '{"errors":[{"error_code":49999}]}'],
  ["yaml", "a: [1"],
  ["sql", "select 1"],
  ["diff", "no sign"],
])("a sample of %s that is wrong is found: %s", (language, text) => {
  const [sample] = readSamples("a.md", `\`\`\`${language}\n${text}\n\`\`\``);
  expect(sample && checks[language]?.(sample)).toEqual(expect.any(String));
});

test("every sample that is not run is right for those who know its language", () => {
  const wrong = samples.flatMap((sample) => {
    const problem = checks[sample.language]?.(sample);
    return problem === undefined ? [] : [`${placeOf(sample)}: ${problem}`];
  });
  expect(wrong).toEqual([]);
});

test("a shell can read all commands", () => {
  const script = commands
    .filter((sample) => sample.notRun === undefined)
    .map(({ text }, index) => `f${index}() {\n:\n${text}\n}\n`);
  const { stderr } = Bun.spawnSync(["sh", "-n", "-s"], { stdin: Buffer.from(script.join("")) });
  expect(stderr.toString()).toBe("");
});

test(`${notRun.length} of ${samples.length} samples are neither run nor compared, each for a reason that its page has`, () => {
  expect(notRun.filter(({ notRun: reason = "" }) => reason.length < 10).map(placeOf)).toEqual([]);
  // A higher number is a decision: rather make the sample run.
  expect(notRun.length).toBeLessThanOrEqual(40);
});

function linesOf(name: string): string[] {
  return readPage(name).split("\n");
}
