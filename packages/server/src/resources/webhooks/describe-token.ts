import { formatMoment } from "./format-moment";
import { type Described, oneLine, titleOf } from "./message-texts";
import type { Payload } from "./payload";

type Token = NonNullable<Payload["data"]["token"]>;

/** Says which token expires, when, if it is in use, and what to do. */
export function describeToken(
  { data: { organizational_unit: unit } }: Payload,
  token: Token,
  { count, baseUrl, timeZone }: { count: number; baseUrl: string; timeZone: string },
): Described {
  const { name, kind, expires_timestamp, last_used_timestamp, days_left: days } = token;
  return {
    title: titleOf(`The API token ${name}`, `expires in ${days} ${days === 1 ? "day" : "days"}`),
    lines: [
      ...(count > 1 ? [`And ${count - 1} more like it within a minute.`] : []),
      `Expires: ${formatMoment(expires_timestamp, timeZone)}`,
      `Last used: ${last_used_timestamp === null ? "never" : formatMoment(last_used_timestamp, timeZone)}`,
      `What to do: ${remedies[kind]}`,
      `Organizational unit: ${oneLine(unit.name)}`,
    ],
    link: `${baseUrl}/console/administration/api-tokens`,
    weight: days <= 1 ? "bad" : "worrying",
  };
}

const remedies: Readonly<Record<Token["kind"], string>> = {
  service:
    "Run holdfast token renew --token-file <file> where it is used, or backups there with --renew. If nothing uses it any more, revoke it.",
  personal: "Its user creates a new one in the console. If nothing uses it any more, revoke it.",
};
