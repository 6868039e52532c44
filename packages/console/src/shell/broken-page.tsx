import { HoldfastError } from "@holdfast/client";
import { Button } from "@mantine/core";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { useContext, useEffect } from "react";
import { PageHeading, usePageTitle } from "../components/page";
import { ErrorState } from "../components/states";
import { onReturn } from "../data/connection";
import { ChunkLoadError } from "../data/stale-bundle";
import { ConnectionBar } from "./connection-bar";
import { InShell } from "./in-shell";
import { MissingPart } from "./missing-part";

/** A page that could not be shown. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  usePageTitle("Something went wrong · Holdfast");
  const isInShell = useContext(InShell);
  const isMissing = error instanceof ChunkLoadError;
  // A missing part loads the whole page again by itself.
  useEffect(() => (isMissing ? undefined : onReturn(reset)), [isMissing, reset]);
  const contents = isMissing ? (
    <MissingPart error={error} />
  ) : (
    <>
      <PageHeading title={error instanceof HoldfastError ? "This page cannot be shown now" : "Something went wrong"} />
      <ErrorState error={error} onRetry={reset} />
    </>
  );
  if (isInShell) return <div className="state state-centred">{contents}</div>;
  return (
    <main className="state state-centred">
      <ConnectionBar />
      {contents}
    </main>
  );
}

/** An address that leads nowhere. */
export function NoSuchPage() {
  usePageTitle("No such page · Holdfast");
  return (
    <div className="state state-centred">
      <PageHeading title="No such page" />
      <p>The address is mistyped, or the page has moved.</p>
      <Button component={Link} to="/">
        Open the overview
      </Button>
    </div>
  );
}
