import type { Engine } from "../engine";
import { parseVersionAfter } from "../versions";
import { judge } from "./ending";
import { additions, createReader } from "./progress";
import { recognise } from "./recognise";

export const postgres: Engine = {
  name: "postgres",
  programs: ["pg_dump", "pg_dumpall", "pg_restore", "pg_basebackup"],
  recognise,
  version: { args: ["--version"], parse: (output) => parseVersionAfter("(PostgreSQL)", output) },
  additions,
  createReader,
  judge,
};
