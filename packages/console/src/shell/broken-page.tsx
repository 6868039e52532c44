import { HoldfastError } from "@holdfast/client";
import { Button } from "@mantine/core";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Logo } from "../components/icons";
import { PageHeading, usePageTitle } from "../components/page";
import { ErrorState } from "../components/states";
import { FileMissing, loadAgain } from "../data/another-version";
import { noteAway, onReturn } from "../data/connection";
import { isThere } from "../data/service";
import { hasUnsaved } from "../data/unsaved";
import { ConnectionBar } from "./connection-bar";

/** A page that could not be shown. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  usePageTitle("Something went wrong · Holdfast");
  const isNewVersion = error instanceof FileMissing;
  const [isLoading, setLoading] = useState(true);
  // Asked before the page that is left takes its note away.
  const [losesSomething] = useState(hasUnsaved);
  useEffect(() => {
    if (!isNewVersion || losesSomething) return;
    // The files of this page are gone: another version is served now, unless nothing is served at all.
    const again = () => setLoading(loadAgain());
    void isThere().then((isBack) => (isBack ? again() : noteAway()));
    return onReturn(again);
  }, [isNewVersion, losesSomething]);
  useEffect(() => onReturn(reset), [reset]);
  if (isNewVersion) {
    return (
      <main className="state state-centred">
        <ConnectionBar />
        <PageHeading title="Holdfast was updated" />
        {losesSomething ? (
          <>
            <p>Go back to save what you have typed, then load the page again.</p>
            <div className="row">
              <Button onClick={() => history.back()}>Go back</Button>
              <Button variant="default" onClick={() => location.reload()}>
                Load again
              </Button>
            </div>
          </>
        ) : isLoading ? (
          <p>The page is loaded again.</p>
        ) : (
          <>
            <p>A part of it is still missing. Ask your administrator whether the upgrade has ended.</p>
            <Button variant="default" onClick={() => location.reload()}>
              Load again
            </Button>
          </>
        )}
      </main>
    );
  }
  return (
    <main className="state state-centred">
      <PageHeading title={error instanceof HoldfastError ? "This page cannot be shown now" : "Something went wrong"} />
      <ErrorState error={error} onRetry={reset} />
    </main>
  );
}

/** An address that leads nowhere. */
export function NoSuchPage() {
  usePageTitle("No such page · Holdfast");
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <span className="wordmark">
          <Logo />
          Holdfast
        </span>
        <PageHeading title="No such page" />
        <p>The address is mistyped, or the page has moved.</p>
        <Button component={Link} to="/">
          Open the overview
        </Button>
      </div>
    </main>
  );
}
