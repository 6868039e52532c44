/** Something that has to be true of the workspace. */
export interface Check {
  name: string;
  /** Faults, one sentence or one tool's report each; nothing where all is well. */
  find(): Promise<string[]>;
}
