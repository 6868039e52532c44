import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useNow } from "../components/time-text";
import { connection, tryAgain } from "../data/connection";
import { idleTracker, noteTouch } from "../data/idle-tracker";
import { useStore } from "../data/store";

/** A pause that the service asks for is mentioned once it has lasted so long, in milliseconds. */
const notWorthSaying = 2_000;

/** State of the connection, above the page, if it is not good. */
export function ConnectionBar() {
  const state = useStore(connection);
  const isGone = useStore(idleTracker) === "gone";
  if (state.state === "away") return <Away retryAt={state.retryAt} />;
  if (state.state === "too-fast") return <RateLimited until={state.until} />;
  if (!isGone) return null;
  return (
    <div className="bar bar-away" role="status">
      Paused, because nothing was touched here for an hour.
      <Button size="xs" variant="default" onClick={noteTouch}>
        Continue
      </Button>
    </div>
  );
}

function Away({ retryAt }: { retryAt: number }) {
  const seconds = Math.max(0, Math.ceil((retryAt - useNow()) / 1000));
  return (
    <div className="bar bar-away">
      <span role="alert">Holdfast does not answer.</span>
      <span>{seconds > 0 ? `Trying again in ${seconds} s.` : "Trying again …"}</span>
      <Button size="xs" variant="default" onClick={tryAgain}>
        Try now
      </Button>
    </div>
  );
}

function RateLimited({ until }: { until: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), notWorthSaying);
    return () => clearTimeout(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - useNow()) / 1000));
  if (!isShown) return null;
  return (
    <div className="bar bar-away" role="status">
      That was too fast for the service. It goes further in {seconds} s.
    </div>
  );
}
