/** Declaration of a resource, as far as the verbs of its noun need it; `declared.ts` has that of every resource. */
export interface DeclaredResource {
  /** Its items belong to organizational units. */
  isInUnit: boolean;
  list?: { text: string; sorts: readonly string[]; filters: Readonly<Record<string, DeclaredFilter>> };
  create?: DeclaredChange;
  update?: DeclaredChange;
  delete?: DeclaredChange;
}

export interface DeclaredChange {
  text: string;
  fields: Readonly<Record<string, DeclaredField>>;
}

interface Described {
  text: string;
  /** All that it, or an element of it, can be. */
  words?: readonly string[];
}

export interface DeclaredFilter extends Described {
  kind: "word" | "id" | "text" | "name" | "timestamp" | "flag";
}

/** A field of a body. */
export interface DeclaredField extends Described {
  kind: "text" | "number" | "flag" | "timestamp" | "choice" | "list" | "json";
  isRequired?: true;
  isNullable?: true;
  min?: number;
  max?: number;
}
