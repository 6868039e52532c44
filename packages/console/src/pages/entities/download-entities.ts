import type { Client } from "@holdfast/client";
import { saveList } from "../../components/download-csv";

type Asked = NonNullable<Parameters<Client["entities"]["list"]>[0]>;

const columns = [
  "id",
  "item",
  "type",
  "item_id",
  "state",
  "last_good_backup",
  "last_incomplete_backup",
  "last_run",
  "last_restore",
  "expected_period_seconds",
  "organizational_unit_id",
  "first_seen_timestamp",
  "muted_until",
  "is_retired",
];

/** Saves the protected items of a filter as a file. */
export function downloadEntities(client: Client, filter: Asked["filter"], sort: Asked["sort"]): Promise<void> {
  return saveList(client.entities.list({ filter, sort, limit: 1000 }), {
    name: "protected-items.csv",
    noun: "item",
    columns,
    rowOf: ({ primary_entity, last_good_backup, last_incomplete_backup, last_run, last_restore, ...entity }) => [
      entity.id,
      primary_entity.value,
      primary_entity.type,
      primary_entity.id,
      entity.state,
      last_good_backup?.end_timestamp,
      last_incomplete_backup?.end_timestamp,
      last_run?.end_timestamp,
      last_restore?.end_timestamp,
      entity.expected_period_seconds?.toString(),
      entity.organizational_unit_id,
      entity.first_seen_timestamp,
      entity.muted_until,
      String(entity.is_retired),
    ],
  });
}
