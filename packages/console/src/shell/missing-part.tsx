import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { PageHeading } from "../components/page";
import { SkeletonRows } from "../components/states";
import { connection, noteAway, onReturn, tryAgain } from "../data/connection";
import { type ChunkLoadError, findLoadFailure, type LoadFailure, loadAgain } from "../data/stale-bundle";
import { useStore } from "../data/store";
import { hasUnsaved } from "../data/unsaved";

/** A page whose file could not be loaded: the service does not answer, or another version is served now. */
export function MissingPart({ error }: { error: ChunkLoadError }) {
  const isAway = useStore(connection).state === "away";
  const [why, setWhy] = useState<LoadFailure | undefined>(isAway ? "away" : undefined);
  const [isLoading, setLoading] = useState(true);
  // Asked before the page that is left takes its note away.
  const [losesSomething] = useState(hasUnsaved);
  useEffect(() => {
    let isShown = true;
    const again = (found: LoadFailure) => !losesSomething && setLoading(loadAgain(found));
    void findLoadFailure(error).then((found) => {
      if (!isShown) return;
      setWhy(found);
      if (found === "away") noteAway();
      else again(found);
    });
    const forget = onReturn(() => again("away"));
    return () => {
      isShown = false;
      forget();
    };
  }, [error, losesSomething]);
  if (why === undefined) return <SkeletonRows />;
  const title = { away: "Holdfast does not answer", updated: "Holdfast was updated", passed: "Not loaded" }[why];
  return (
    <>
      <PageHeading title={title} />
      {losesSomething ? (
        <>
          <p>Go back to save what you have typed, then load the page again.</p>
          <div className="row">
            <Button onClick={() => history.back()}>Go back</Button>
            <LoadAgain />
          </div>
        </>
      ) : why === "away" ? (
        <>
          <p>This page is opened as soon as there is an answer.</p>
          <Button variant="default" onClick={tryAgain}>
            Try again
          </Button>
        </>
      ) : isLoading ? (
        <p>The page is loaded again.</p>
      ) : (
        <>
          <p>A part of it is still missing. Ask your administrator whether the upgrade has ended.</p>
          <LoadAgain />
        </>
      )}
    </>
  );
}

function LoadAgain() {
  return (
    <Button variant="default" onClick={() => location.reload()}>
      Load again
    </Button>
  );
}
