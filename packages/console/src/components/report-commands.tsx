import { Button } from "@mantine/core";
import { useState } from "react";
import { useChange } from "../data/change";
import { useRoles } from "../data/names";
import { publicUrl } from "../data/page-facts";
import { useMay } from "../data/rights";
import { useClient, useUnitId } from "../data/unit";
import { inSingleQuotes, installHint, shellWord } from "../texts/shell";
import { CopyField } from "./copy";
import { PingSnippets } from "./ping-snippets";
import { Snippet } from "./snippets";
import { ErrorState } from "./states";

const year = 365 * 86_400_000;

export interface ReportCommandsProps {
  /** The unit that tasks are reported in: that of the page where it is missing. */
  unitId?: string;
  /** Host that is backed up; its name is that of the token and of the monitor. */
  host?: string;
}

/** The ways to report a backup, each ready to be run. The token lives in the state of this part alone. */
export function useReportCommands({ unitId, host: given }: ReportCommandsProps) {
  const host = given ?? "web-01";
  const here = useUnitId();
  const unit = unitId ?? here;
  const [token, setToken] = useState<string>();
  const shown = token ?? "…";
  return {
    texts: {
      run: `${installHint}
export HOLDFAST_URL=${publicUrl}
export HOLDFAST_TOKEN=${shown}
holdfast run ${given === undefined ? "" : `--entity ${shellWord(`host:${given}`)} `}-- restic backup /srv`,
      curl: `curl ${publicUrl}/tasks \\
  -H 'Authorization: Bearer ${shown}' \\
  -H 'Content-Type: application/json' \\
  -d '{"category":"backup","type":"tar_create","status":"completed",
       "primary_entity":{"type":"host","value":${inSingleQuotes(JSON.stringify(host))}}}'`,
    },
    tokenPart: <ReporterToken unitId={unit} name={`reporter on ${host}`} token={token} onMade={setToken} />,
    pingPart: <FirstPing unitId={unit} name={host} />,
  };
}

interface ReporterTokenProps {
  unitId: string | undefined;
  name: string;
  token: string | undefined;
  onMade: (token: string) => void;
}

/** Makes a token that can report tasks, and nothing else. */
function ReporterToken({ unitId, name, token, onMade }: ReporterTokenProps) {
  const client = useClient();
  const role = useRoles().find((one) => one.is_default && one.name === "reporter");
  const mayMake = useMay("api-tokens:write") && role !== undefined;
  const create = useChange(
    (_: undefined, idempotencyKey) =>
      client.apiTokens.create(
        {
          name,
          kind: "service",
          role_id: role?.id ?? "",
          ...(unitId === undefined ? {} : { organizational_unit_id: unitId }),
          expires_timestamp: new Date(Date.now() + year).toISOString(),
        },
        { idempotencyKey },
      ),
    (made) => onMade(made.token ?? ""),
  );
  if (token !== undefined) {
    return (
      <div className="stack-small">
        <CopyField label="Token" value={token} button="Copy token" />
        <p className="soft small">It is shown only once, and good for a year. It can report tasks, and nothing else.</p>
      </div>
    );
  }
  if (!mayMake) {
    return <p className="soft">It needs a service token with the role reporter. Ask a person who may make tokens.</p>;
  }
  return (
    <div className="stack-small">
      <div>
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate(undefined)}>
          Create a reporter token
        </Button>
      </div>
      {create.error && <ErrorState error={create.error} />}
    </div>
  );
}

/** Makes a monitor on the spot, and shows how to ping it. */
function FirstPing({ unitId, name }: { unitId: string | undefined; name: string }) {
  const client = useClient();
  const mayMake = useMay("monitors:write");
  const create = useChange((_: undefined, idempotencyKey) =>
    client.monitors.create(
      {
        name,
        schedule: { period_seconds: 86_400 },
        primary_entity: { type: "host", value: name },
        ...(unitId === undefined ? {} : { organizational_unit_id: unitId }),
      },
      { idempotencyKey },
    ),
  );
  const { ping_url: url, schedule = null } = create.data ?? {};
  if (url !== undefined) return <PingSnippets url={url} schedule={schedule} />;
  if (!mayMake) return <p className="soft">It needs a monitor. Ask a person who may make monitors.</p>;
  return (
    <div className="stack-small">
      <p className="soft">No token and nothing to install: the job calls an address when it has ended.</p>
      <div>
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate(undefined)}>
          Create a ping URL
        </Button>
      </div>
      {create.error && <ErrorState error={create.error} />}
    </div>
  );
}

/** A command and the token that it needs. */
export function CommandWithToken({ text, tokenPart }: { text: string; tokenPart: React.ReactNode }) {
  return (
    <div className="stack-small">
      <Snippet text={text} />
      {tokenPart}
    </div>
  );
}
