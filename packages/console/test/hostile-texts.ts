import { textLimits } from "@holdfast/api/conventions/text-limits";
import { ask } from "./shared-world";

const markup = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  "<body onpageshow=alert(1)>",
  '<a href="javascript:alert(1)">x</a>',
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "<base href=//evil.test/>",
  '<meta http-equiv=refresh content="0;url=//evil.test">',
  "<style>@import '//evil.test/x.css';</style>",
  "<link rel=stylesheet href=//evil.test/x.css>",
  "<form action=//evil.test><input autofocus onfocus=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  "<math><mtext></form><form><mglyph><svg><mtext><style><path id=</style><img onerror=alert(1) src>",
  "$\u007balert(1)}{{constructor.constructor('alert(1)')()}}",
  "&lt;script&gt;alert(1)&lt;/script&gt;&#60;img src=x onerror=alert(1)&#62;",
  "]]><script>alert(1)</script>",
  "--><script>alert(1)</script><!--",
  "</title></textarea></script><script>alert(1)</script>",
  "'; alert(1); //",
  "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
  '=HYPERLINK("//evil.test","x")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
];
const ways = [
  (text: string) => text,
  (text: string) => `">${text}`,
  (text: string) => `\u202e${text}\u2066 \u05e9\u05dc\u05d5\u05dd`,
  (text: string) => `'x' \u0645\u0631\u062d\u0628\u0627 👨‍👩‍👧‍👦 ${text}`,
];

/** 100 texts that a page must show as nothing but text. */
export const hostileTexts: readonly string[] = ways.flatMap((way) => markup.map(way));

/** One of each way, for runs that have little time. */
export const someHostileTexts: readonly string[] = ways.flatMap((way, at) => markup.slice(at, at + 1).map(way));

/** As long as anything can be, in letters that run from the right, and with what no line can be broken at. */
export const endlessText = `\u0634\u0631\u0643\u0629 \u05d7\u05d1\u05e8\u05d4 🗄️ ${"W".repeat(12_000)}`;

/** Where a text was stored. */
export interface StoredTexts {
  unit: string;
  role: string;
  user: string;
  monitor: string;
  webhook: string;
  failed: string;
  running: string;
  entity: string;
}

let stored = 0;

/** A text as names take it: one line of at most so many characters, without what the service refuses in names. */
function line(text: string, maxLength: number): string {
  const shown = text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "");
  return `${[...shown].slice(0, maxLength - 6).join("")} ${stored}`;
}

/** Asks the API for something that it must not refuse. */
async function made(...[path, body, method]: Parameters<typeof ask>) {
  const answer = await ask(path, body, method);
  if (answer.errors) throw new Error(`${path} with ${JSON.stringify(body)}: ${JSON.stringify(answer.errors)}`);
  return answer;
}

/** Writes a text into everything that a person, a runner or a pinger can write. */
export async function storeText(text: string): Promise<StoredTexts> {
  stored += 1;
  const name = line(text, textLimits.name);
  const terminal = `\u001b[31m${text}\u001b]8;;http://evil.test\u0007link\u001b]8;;\u0007\u0000\r\n${text}\n`;
  const { id: unit } = await made("/organizational-units", { name });
  const { id: role } = await made("/roles", {
    name: line(text, textLimits.roleName),
    description: line(text, textLimits.roleDescription),
    permissions: ["tasks:read"],
  });
  const { id: user } = await made("/users", {
    email: `hostile-${stored}@example.org`,
    full_name: name,
    access_control_configuration: [{ role_id: role, organizational_unit_ids: [unit] }],
  });
  await made("/api-tokens", { name, kind: "service", role_id: role, organizational_unit_id: unit });
  const primary_entity = {
    type: line(text, textLimits.entityType),
    id: `hostile-${stored}`,
    value: line(text, textLimits.entity),
  };
  const type = line(text, textLimits.taskType);
  const { id: monitor } = await made("/monitors", { name, type, primary_entity, schedule: { period_seconds: 86_400 } });
  await made("/ping-keys", { name });
  const query = `q=${encodeURIComponent(text.slice(0, 200))}`;
  await made("/views", { name: line(text, textLimits.viewName), page: "tasks", query, is_shared: true });
  const url = `https://hooks.holdfast.invalid/${encodeURIComponent(text.slice(0, 200))}`;
  const { id: webhook } = await made("/webhooks", {
    name,
    kind: "standard",
    url,
    events: ["monitor.down"],
    organizational_unit_id: unit,
  });
  const runner = { host: line(text, textLimits.runnerHost), version: line(text, textLimits.runnerVersion) };
  const { id: failed } = await made("/tasks", {
    category: "backup",
    type,
    name,
    primary_entity,
    runner,
    status: "failed",
    error: {
      code: "hostile",
      message: terminal.slice(0, textLimits.errorText),
      remedy: terminal.slice(0, textLimits.errorText),
    },
    log: { offset: 0, text: terminal.replaceAll("\u0000", "") },
  });
  const { id: running } = await made("/tasks", {
    category: "backup",
    type,
    name,
    runner,
    can_abort: true,
    lease_seconds: 3_600,
    primary_entity,
  });
  await made(
    `/tasks/${running}`,
    { attempt: 1, progress_message: terminal.slice(0, textLimits.progressMessage) },
    "PATCH",
  );
  const found = await made(
    `/entities?filter=${encodeURIComponent(JSON.stringify({ "primary_entity.id": primary_entity.id }))}`,
  );
  const entity: string = found._embedded.items[0].id;
  return { unit, role, user, monitor, webhook, failed, running, entity };
}
