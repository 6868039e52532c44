import { wordsIn } from "@holdfast/api/resources/view-pages";
import type { TaskCount } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { countText } from "../../texts/numbers";
import { quickViews, type TaskSearch } from "./task-search";

/** The views that people look at most, with their figures while nothing else narrows the list. */
export function QuickViews({ search, counts }: { search: TaskSearch; counts: readonly TaskCount[] | undefined }) {
  const { page: _, status, outcome, ...others } = search;
  return (
    <div className="views">
      {quickViews.map((view) => {
        const wanted: TaskSearch = view.search;
        const isCurrent = wanted.status === status && wanted.outcome === outcome;
        return (
          <Link
            key={view.name}
            to="."
            search={{ ...others, ...wanted }}
            className="view"
            activeOptions={{ exact: true, includeSearch: true }}
            data-current={isCurrent || undefined}
          >
            {view.name}
            {counts && <span className="view-count">{countText(sumOf(counts, wanted))}</span>}
          </Link>
        );
      })}
    </div>
  );
}

function sumOf(counts: readonly TaskCount[], { status, outcome }: TaskSearch): number {
  const [statuses, outcomes] = [wordsIn(status), wordsIn(outcome)];
  return counts
    .filter((item) => statuses.length === 0 || statuses.includes(item.status ?? ""))
    .filter((item) => outcomes.length === 0 || outcomes.includes(item.outcome ?? ""))
    .reduce((sum, { count }) => sum + count, 0);
}
