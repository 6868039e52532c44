/** Values of the variables in the path of a request, by their names. */
export type PathVariables = Readonly<Record<string, string>>;

/** One of the variables. To ask for one that the path does not declare is a mistake in the code. */
export function variableOf(variables: PathVariables, name: string): string {
  const value = variables[name];
  if (value === undefined) throw new Error(`The path of the operation has no variable ${name}.`);
  return value;
}
