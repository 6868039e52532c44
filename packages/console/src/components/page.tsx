import type { ViewPageName } from "@holdfast/api/resources/view-pages";
import { type ReactNode, useEffect, useRef } from "react";
import { publicUrl } from "../data/page-facts";
import { useCaller } from "../data/rights";
import { firstLine, visibleText } from "../texts/foreign-text";
import { fullTime } from "../texts/times";
import { SafeText } from "./safe-text";
import { SaveView } from "./save-view";
import { useMinute, useZone } from "./time-text";

export interface PageProps {
  /** The heading. */
  title: string;
  /** Content above the heading. */
  above?: ReactNode;
  /** Content beside the heading. */
  actions?: ReactNode;
  /** Page whose query can be saved as a view. */
  views?: ViewPageName | undefined;
  /** Beginning of the title of the tab: `(3) `. */
  titlePrefix?: string;
  children: ReactNode;
}

/** A page: its heading gets the focus, and its name stands in the title of the tab. */
export function Page({ title, above, actions, views, titlePrefix = "", children }: PageProps) {
  const unitName = useCaller().data?.organizational_unit.name;
  const parts = [firstLine(title, 60), firstLine(unitName ?? "", 40), "Holdfast"];
  usePageTitle(titlePrefix + parts.filter(Boolean).join(" · "));
  return (
    <div className="page">
      <div className="page-header">
        <div className="page-header-title">
          {above}
          <PageHeading title={title} />
          <PrintedAt unitName={unitName} />
        </div>
        {(actions || views) && (
          <div className="row no-print">
            {views && <SaveView page={views} title={title} />}
            {actions}
          </div>
        )}
      </div>
      {children}
    </div>
  );
}

/** Unit and time of a page on paper. */
function PrintedAt({ unitName }: { unitName: string | undefined }) {
  const zone = useZone();
  return (
    <p className="print-only small soft">
      {unitName && (
        <>
          <SafeText text={unitName} maxLength={60} /> ·{" "}
        </>
      )}
      {fullTime(useMinute() - 60_000, zone)} ({zone}) · {publicUrl}
    </p>
  );
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = visibleText(title);
  }, [title]);
}

/** Heading 1. After a navigation it has the focus, so that reading begins there; not while something is typed. */
export function PageHeading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      <SafeText text={title} />
    </h1>
  );
}
