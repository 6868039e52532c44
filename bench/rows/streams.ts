import { defaultRoles } from "@holdfast/api/conventions/permissions";
import type { Bench } from "../bench";
import { type OpenStreams, openStreams } from "../load/open-streams";
import { type ReportResult, reportLoad } from "../load/report-load";
import { quantile } from "../load/spread";
import { processorSeconds, residentMemory } from "../sides/processes";

/** A token may have 10 streams. */
const perToken = 10;
const tokenCount = 100;
const rate = 200;
/** For how long nothing is done before memory is read, in milliseconds: the streams have begun, and garbage is collected. */
const settling = 5_000;

/** What a stream is asked for: nothing that is reported here, and everything. */
const kinds = [
  { name: "that see none of it", query: `?filter=${encodeURIComponent('{"type":"nothing"}')}` },
  { name: "that see all of it", query: "" },
];

/**
 * Measures reports alone and beside 1,000 open streams, and the streams themselves. They are open only while reports come
 * at the rate: when all runners begin or end at once, each stream is sent hundreds of events at once.
 */
export async function measureStreams({ ours, options, figure }: Bench): Promise<void> {
  const { url, headers } = ours;
  const { pid } = ours.served;
  const seconds = 5 * options.seconds;
  const owner = await ours.headersOf("owner");
  const note = (what: string, value: number, unit: string) => figure("streams", what, value, unit);
  const tokens: string[] = [];
  for (let number = 0; number < tokenCount; number++) tokens.push(await makeToken(url, owner, number));
  const reporting = { url, headers, connections: 32, seconds, rate };
  const processor = createProcessorMeter(pid);
  const alone = await reportLoad({ ...reporting, onBegun: processor.begin, onOver: processor.end });
  const noteReports = async (what: string, { perSecond, p99, refused }: ReportResult) => {
    await note(`${what}: answered a second`, perSecond, "");
    await note(`${what}: slowest of a hundred`, p99, " ms");
    await note(`${what}: refused`, refused, "");
    await note(`${what}: the service's share of one processor`, processor.share() * 100, " %");
  };
  await noteReports(`${rate} reports a second, no streams`, alone);

  for (const { name, query } of kinds) {
    const what = `${rate} reports a second, ${tokenCount * perToken} streams ${name}`;
    const perStream = (memory: number) => (memory * 1024) / (tokenCount * perToken);
    const noted = { before: 0, open: 0, used: 0, bytes: 0, events: 0 };
    let streams: OpenStreams | undefined;
    const beside = await reportLoad({
      ...reporting,
      onAnswered: (n) => streams?.answered(n),
      async onBegun() {
        await Bun.sleep(settling);
        noted.before = await residentMemory(pid);
        streams = await openStreams({ url, tokens, perToken, query });
        await Bun.sleep(settling);
        noted.open = await residentMemory(pid);
        noted.bytes = streams.bytes();
        noted.events = streams.events();
        await processor.begin();
      },
      async onOver() {
        await processor.end();
        await Bun.sleep(settling);
        noted.used = await residentMemory(pid);
        streams?.end();
      },
    });
    await noteReports(what, beside);
    await note(`${what}: slowest of a hundred, of the same without streams`, beside.p99 / alone.p99, " ×");
    if (!streams) continue;
    const delays = streams.delays.toSorted((a, b) => a - b);
    await note(`${what}: events a second`, (streams.events() - noted.events) / seconds, "");
    await note(`${what}: sent a second`, (streams.bytes() - noted.bytes) / seconds / 1024 ** 2, " MiB");
    if (delays.length > 0) {
      await note(`${what}: from a report's answer to its event, median`, quantile(delays, 0.5), " ms");
      await note(`${what}: from a report's answer to its event, slowest of a hundred`, quantile(delays, 0.99), " ms");
    }
    await note(`${what}: closed by the service`, streams.closed(), "");
    await note(`${what}: memory of the service for each, once open`, perStream(noted.open - noted.before), " KiB");
    await note(`${what}: memory of the service for each, after that`, perStream(noted.used - noted.before), " KiB");
  }
}

/** Measures which share of one processor a process uses between two moments. */
function createProcessorMeter(pid: number) {
  let [startedAt, usedBefore, share] = [0, 0, 0];
  return {
    async begin(): Promise<void> {
      usedBefore = await processorSeconds(pid);
      startedAt = performance.now();
    },
    async end(): Promise<void> {
      share = (1000 * ((await processorSeconds(pid)) - usedBefore)) / (performance.now() - startedAt);
    },
    share: () => share,
  };
}

async function makeToken(url: string, owner: Record<string, string>, number: number): Promise<string> {
  const answer = await fetch(`${url}/api-tokens`, {
    method: "POST",
    headers: { ...owner, "Content-Type": "application/json" },
    body: JSON.stringify({ name: `bench ${number}`, kind: "service", role_id: defaultRoles.viewer.id }),
  });
  if (answer.status !== 201) throw new Error(`No token was made: ${await answer.text()}`);
  const { token }: { token: string } = JSON.parse(await answer.text());
  return token;
}
