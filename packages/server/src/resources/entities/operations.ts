import { entityCountFilters, entityFilters, entitySorts } from "@holdfast/api/resources/entities";
import { implementAskedList } from "../../operations/asked-list";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Implementation, implementList, type Renderers } from "../../operations/reading";
import { updateEntity } from "./change-entity";
import { entityCountList, writeEntityCount } from "./entity-counts";
import { entitySource, type ListedEntity } from "./list-entities";
import { presentEntityV1 } from "./present";

const renderers: Renderers<ListedEntity> = { 1: (row) => JSON.stringify(presentEntityV1(row)) };

export const entityReadings: Record<string, Implementation> = {
  "list-entities": implementList(entitySource, entityFilters, renderers, { sorts: entitySorts }),
  "list-entity-counts": implementAskedList(entityCountList, entityCountFilters, { 1: writeEntityCount }),
  "read-entity": implementRead(
    "entity_id",
    ({ db }, scope, id) => entitySource.find(db, scope, id),
    "protected entity",
    renderers,
  ),
};

export const entityChanges: Record<string, ChangeImplementation> = { "update-entity": updateEntity };
