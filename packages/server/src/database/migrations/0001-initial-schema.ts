import { postgres } from "./0001-initial-schema/postgres";
import { sqlite } from "./0001-initial-schema/sqlite";

export const initialSchema = { sqlite, postgres };
