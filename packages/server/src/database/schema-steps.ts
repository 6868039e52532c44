import { initialSchema } from "./migrations/0001-initial-schema";

/** A step of the schema: the statements that it makes on each database, as literal SQL. */
export interface SchemaStep {
  sqlite: string;
  postgres: string;
}

/** Steps by their names, which are in the order in which they are made. */
export type SchemaSteps = Readonly<Record<string, SchemaStep>>;

export const schemaSteps: SchemaSteps = {
  "0001-initial-schema": initialSchema,
};

/**
 * The statements of a step. Each ends with a semicolon at the end of a line; what is indented after one belongs to the same
 * statement, such as the body of a function.
 */
export function statementsOf(step: string): string[] {
  return step.trim().split(/(?<=;)\n+(?! )/);
}
