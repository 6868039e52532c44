import { entities, entityCountFilters, entityFilters, entitySorts } from "@holdfast/api/resources/entities";
import { forgetEntitiesOf, hasEntities, moveEntities } from "../../database/protection/move-entities";
import { implementRead } from "../../operations/item-read";
import { implementParameterizedList } from "../../operations/parameterized-list";
import { implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { updateEntity } from "./change-entity";
import { entityCountList, writeEntityCount } from "./entity-counts";
import { entitySource, type ListedEntity } from "./list-entities";
import { presentEntityV1 } from "./present";

const renderers: Renderers<ListedEntity> = { 1: (row) => JSON.stringify(presentEntityV1(row)) };

/** Protected entities. */
export const entityResource = {
  declaration: entities,
  reads: () => ({
    "list-entities": implementList(entitySource, entityFilters, renderers, { sorts: entitySorts }),
    "list-entity-counts": implementParameterizedList(entityCountList, entityCountFilters, { 1: writeEntityCount }),
    "read-entity": implementRead(
      "entity_id",
      ({ db }, scope, id) => entitySource.find(db, scope, id),
      "protected entity",
      renderers,
    ),
  }),
  changes: { "update-entity": updateEntity },
  domain: "entities",
  tables: {
    protected_entities: {
      move: { key: ["id"], numberedBy: "seq" },
      domain: { name: "entities", uncounted: ["value_at", "value_task_id"] },
      grows: true,
      inUnit: {
        noun: "protected entities that are not retired",
        areIn: hasEntities,
        move: moveEntities,
        forget: (db, { id }) => forgetEntitiesOf(db, id),
      },
    },
  },
} satisfies ResourceDescription<typeof entities>;
