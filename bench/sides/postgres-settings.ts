import { totalmem } from "node:os";

/**
 * Settings of PostgreSQL for ours and for peers: as docs/explanation/how-far-each-database-goes.md says, and else as it is by default.
 * Clusters of tests are smaller.
 */
export const postgresSettings = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 1_048_576)}MB`,
  max_wal_size: "1GB",
};
