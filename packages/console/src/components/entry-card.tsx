import type { ReactNode } from "react";
import { Logo } from "./icons";
import { PageHeading } from "./page";

/** A page that stands alone, before anyone is signed in: the mark, a heading and what is below it. */
export function EntryCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <span className="wordmark">
          <Logo />
          Holdfast
        </span>
        <PageHeading title={title} />
        {children}
      </div>
    </main>
  );
}
