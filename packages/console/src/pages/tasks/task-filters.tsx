import { outcomeWords, taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import { useState } from "react";
import { FilterBar, type FilterKind } from "../../components/filter-bar";
import { categoryWords, statusWords } from "../../texts/task-words";
import { useFoundWords } from "./task-queries";
import type { TaskSearch } from "./task-search";

/** Filters of tasks. */
export function TaskFilters({
  search,
  onChange,
}: {
  search: TaskSearch;
  onChange: (changes: TaskSearch, isSameStep: boolean) => void;
}) {
  const [looksAt, setLooksAt] = useState<"type" | "error.code">();
  const types = useFoundWords("type", looksAt === "type");
  const errors = useFoundWords("error.code", looksAt === "error.code");
  const kinds: FilterKind[] = [
    { name: "outcome", title: "Outcome", options: taskOutcomes, words: outcomeWords },
    { name: "status", title: "Status", options: taskStatuses, words: statusWords },
    { name: "category", title: "Category", options: taskCategories, words: categoryWords },
    { name: "type", title: "Type", options: types.data ?? [], onOpen: () => setLooksAt("type") },
    { name: "error", title: "Error code", options: errors.data ?? [], onOpen: () => setLooksAt("error.code") },
    { name: "item", title: "Item" },
    { name: "item_id", title: "Item id" },
    { name: "id", title: "Task id" },
    { name: "monitor", title: "Monitor id" },
    { name: "unit_only", title: "Only this unit", options: ["yes"], words: { yes: "Yes, none below it" } },
    { name: "started_from", title: "Started from" },
    { name: "started_to", title: "Started before" },
    { name: "ended_from", title: "Ended from" },
    { name: "ended_to", title: "Ended before" },
  ];
  const values: Record<string, string | undefined> = { ...search };
  return (
    <FilterBar
      kinds={kinds}
      values={values}
      onChange={(name, value, isSameStep) => onChange({ [name]: value }, isSameStep)}
    />
  );
}
