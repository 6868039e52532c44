import type { Resource } from "@holdfast/api/conventions/operation";
import type { DataVersions } from "../database/database";
import type { Domain } from "../database/domains";
import type { TableMove } from "../database/move/moved-tables";
import type { Schema } from "../database/schema";
import type { ChangeImplementation } from "../operations/change";
import type { Implementation } from "../operations/read";
import type { ReportImplementation } from "../operations/report";
import type { TaskReportParts } from "./tasks/reports/report-tasks";
import type { UnitContents } from "./unit-contents";

/** Description of a resource: all that the service has to know about it. `index.ts` has the list of all. */
export interface ResourceDescription<Declared extends Resource = Resource> {
  /** Operations, schemas and filters. */
  declaration: Declared;
  /** Implementations of the operations that read. */
  reads(
    parts: Pick<TaskReportParts, "taskLogLimit" | "metrics">,
  ): Readonly<Record<IdOf<Declared, { kind: "list" | "read" }>, Implementation>>;
  /** Implementations of the operations that change something, and of those reports that can ask for a change. */
  changes: Readonly<
    Record<IdOf<Declared, { kind: "write" } | { kind: "report"; change: object }>, ChangeImplementation>
  >;
  /** Implementations of the operations that take reports. The service does not start if one is missing. */
  reports?(parts: TaskReportParts): Readonly<Record<IdOf<Declared, { kind: "report" }>, ReportImplementation>>;
  /** The domain that its readings change with. With `any`, no answer is remembered after the next commit. */
  domain: keyof DataVersions;
  /** Those of its readings that show more than that domain. */
  readingsOfAny?: readonly IdOf<Declared, { kind: "list" | "read" }>[];
  /** The tables that hold it, those that are referred to before those that refer to them. */
  tables: { readonly [Table in keyof Schema]?: TableDescription<Table> };
}

type IdOf<Declared extends Resource, Chosen extends object> = Extract<
  Declared["versions"][number]["operations"][number],
  Chosen
>["id"];

/** Facts about a table. One whose rows name a unit also says what becomes of them. */
export type TableDescription<Table extends keyof Schema = keyof Schema> = {
  /** Rule for `database move`; `stays` if each database fills its own. */
  move: TableMove | "stays";
  /** Domain of which its writes count as a change; null if nothing of it is remembered after the next commit. */
  domain: DomainOfTable | null;
  /** Set if it grows with tasks, events or people: no list may scan it. */
  grows?: true;
} & (Schema[Table] extends { organizational_unit_id: unknown }
  ? { inUnit: UnitContents | FollowingContents }
  : unknown);

/** `follows`: another table of the resource takes its rows along. `stays`: its rows name a unit even if that is gone. */
type FollowingContents = "follows" | "stays";

/** Writes of a table that count as a change of a domain. The triggers in the steps of the schema have to agree. */
export interface DomainOfTable {
  name: Domain;
  /** Columns that change as things are used, and of which nothing is remembered: changing these alone does not count. */
  uncounted?: readonly string[];
  /** Set if only updates count, because what is added and removed always changes another table of the domain. */
  onlyUpdates?: true;
}
