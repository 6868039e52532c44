import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { PermissionButton } from "../../components/permission-button";
import { MarkShape } from "../../components/status-mark";
import { useNow, useZone } from "../../components/time-text";
import { counted } from "../../texts/numbers";
import { clockText } from "../../texts/times";
import { SuggestedMonitors } from "../monitors/suggested-monitors";
import type { VerdictText } from "./judge-protection";

/** The verdict says how old it is once it is older than this. */
const maxFreshMs = 10_000;

/** The verdict with the list behind it. Items that nobody watches have a sentence of their own, in amber. */
export function Verdict({ verdict, at }: { verdict: VerdictText; at: number }): ReactNode {
  const { mark, text, detail, list, unwatched } = verdict;
  const zone = useZone();
  const now = useNow();
  return (
    <div className={`verdict look-${mark}`} role="status" aria-label="Protection">
      <div className="verdict-line">
        <span className="verdict-text">
          <MarkShape mark={mark} />
          {text}
        </span>
        {detail && <span>{detail}</span>}
        {list && (
          <Link to={list.to} search={{ state: list.state }}>
            Show them
          </Link>
        )}
        {/* It keeps its place while it is not said, so that nothing moves when it is. */}
        <span className="soft small verdict-age" hidden={now - at <= maxFreshMs}>
          as of {clockText(at, zone)}
        </span>
      </div>
      {unwatched > 0 && <Unwatched count={unwatched} />}
    </div>
  );
}

function Unwatched({ count }: { count: number }) {
  const [isOpen, setOpen] = useState(false);
  const them = count === 1 ? "it" : "them";
  return (
    <div className="verdict-line verdict-unwatched">
      <span>
        {counted(count, "item has a good backup", "items have a good backup")}, but no monitor watches {them}: if the
        next one does not come, you will not be told.
      </span>
      <Link to="/entities" search={{ state: "unwatched" }}>
        {count === 1 ? "Show it" : "Show unwatched items"}
      </Link>
      <PermissionButton permission="monitors:write" variant="default" size="xs" onClick={() => setOpen(true)}>
        {count === 1 ? "Create a monitor for it" : "Create monitors for them"}
      </PermissionButton>
      {isOpen && <SuggestedMonitors onClose={() => setOpen(false)} />}
    </div>
  );
}
