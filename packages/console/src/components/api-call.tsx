import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { publicUrl, vendor } from "../data/page-facts";
import { useUnit } from "../data/unit";
import { Dialog } from "./dialogs";
import { Icon } from "./icons";

export interface ApiCallProps {
  /** The resource, as media types name it. */
  resource: string;
  version?: number;
  /** Path and query. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
}

/** The request behind a page, to be used by a program. */
function curlOf({ resource, version = 1, path, query = {} }: ApiCallProps, unit: string | undefined): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`  --data-urlencode ${shellQuoted(`${name}=${value}`)}`],
  );
  return [
    `curl ${parameters.length > 0 ? "--get " : ""}${shellQuoted(`${publicUrl}${path}`)}`,
    `  -H "Authorization: Bearer $HOLDFAST_TOKEN"`,
    `  -H 'Accept: application/api.${vendor}.${resource}=v${version}+json'`,
    ...(unit === undefined ? [] : [`  -H 'x-${vendor}-organizationalunit-context: ${unit}'`]),
    ...parameters,
  ].join(" \\\n");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A button that shows the request behind a page. */
export function ShowApiCall(props: ApiCallProps) {
  const [isOpen, setOpen] = useState(false);
  const [said, setSaid] = useState("");
  const unit = useUnit();
  const curl = curlOf(props, unit);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(curl);
      setSaid("Copied");
    } catch {
      setSaid("Select the text and press Ctrl+C");
    }
  };
  return (
    <>
      <Button
        className="icon-on-phone quiet"
        variant="subtle"
        leftSection={<Icon name="code" size={16} />}
        onClick={() => setOpen(true)}
      >
        Show as API call
      </Button>
      <Dialog title="API call" isOpen={isOpen} onClose={() => setOpen(false)} size="lg">
        <div className="stack">
          <p>What this page shows, for a program. Make a token under "Your account" or "API tokens" first.</p>
          <Textarea
            label="curl"
            value={curl}
            readOnly
            rows={Math.min(14, curl.split("\n").length + 2)}
            classNames={{ input: "mono whole-text" }}
          />
          <div className="dialog-buttons">
            <span role="status" className="small soft">
              {said}
            </span>
            <Button onClick={copy}>Copy call</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
