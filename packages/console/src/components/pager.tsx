import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { counted, countText } from "../texts/numbers";
import { clockText } from "../texts/times";
import { EmptyState } from "./states";
import { useNow, useZone } from "./time-text";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The link of the list that leads to this page: it continues where the page before ended. */
    cursor?: string | undefined;
  }
}

/** A page that is older than this says how old it is, in milliseconds. */
const young = 10_000;

export interface PagerProps {
  page: {
    start: string;
    total_count: number;
    total_pages_count: number;
    _links: Record<string, { href: string } | undefined>;
  };
  /** The number in the address. */
  number: number;
  /** Name of what is listed: `task`. */
  noun: string;
  /** Its plural, where that is not the noun with an s. */
  nouns?: string | undefined;
  /** When the page was fetched; undefined where it follows every change. */
  fetchedAt?: number | undefined;
}

/** The pages of a list: links, and a field to jump with. Next and previous follow the list's own links. */
export function Pager({ page, number, noun, nouns, fetchedAt }: PagerProps) {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const last = Math.max(1, page.total_pages_count);
  const [typed, setTyped] = useState(String(number));
  useEffect(() => setTyped(String(number)), [number]);
  const jump = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Math.min(last, Math.max(1, Math.floor(Number(typed)) || 1));
    setTyped(String(wanted));
    void navigate({ to: ".", search: { ...search, page: pageText(wanted) } });
  };
  const links = [
    { name: "First page", to: 1, isOff: number <= 1, cursor: undefined },
    { name: "Previous page", to: number - 1, isOff: number <= 1, cursor: page._links.prev?.href },
    { name: "Next page", to: number + 1, isOff: number >= last, cursor: page._links.next?.href },
    { name: "Last page", to: last, isOff: number >= last, cursor: undefined },
  ];
  return (
    <nav className="pager no-print" aria-label="Pages">
      <form className="pager-input" onSubmit={jump}>
        <label>
          Page{" "}
          <input
            value={typed}
            inputMode="numeric"
            onChange={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => setTyped(String(number))}
          />
        </label>
        <span className="soft">
          of {countText(last)} · {counted(page.total_count, noun, nouns)}
          {fetchedAt !== undefined && <Age fetchedAt={fetchedAt} />}
        </span>
      </form>
      <ul data-single={last === 1 || undefined}>
        {links.map(({ name, to, isOff, cursor }) => (
          <li key={name}>
            {isOff ? (
              // biome-ignore lint/a11y/useValidAnchor: a link that leads nowhere now keeps its place.
              <a className="pager-link" role="link" aria-disabled="true">
                {name}
              </a>
            ) : (
              <Link className="pager-link" to="." search={{ ...search, page: pageText(to) }} state={{ cursor }}>
                {name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Replaces an empty page: that there is no such page, where the list has others. */
export function EmptyPage({ page, number, children }: Pick<PagerProps, "page" | "number"> & { children: ReactNode }) {
  const search = useSearch({ strict: false });
  if (number === 1 || page.total_count === 0) return children;
  const last = Math.max(1, page.total_pages_count);
  return (
    <EmptyState title={`There is no page ${countText(number)}`} icon="search">
      <Link to="." search={{ ...search, page: pageText(last) }}>
        {last === 1 ? "Open the only page" : `Open the last page, ${countText(last)}`}
      </Link>
    </EmptyState>
  );
}

function pageText(number: number): string | undefined {
  return number === 1 ? undefined : String(number);
}

/** Age of a page, once it is worth showing. */
function Age({ fetchedAt }: { fetchedAt: number }) {
  const zone = useZone();
  const now = useNow();
  return now - fetchedAt > young ? ` · as of ${clockText(fetchedAt, zone)}` : "";
}
