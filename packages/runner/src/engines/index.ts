import { borg } from "./borg";
import { borgmatic } from "./borgmatic";
import type { Engine } from "./engine";
import type { EngineName } from "./engine-names";
import { kopia } from "./kopia";
import { other } from "./other";
import { pgbackrest } from "./pgbackrest";
import { postgres } from "./postgres";
import { rclone } from "./rclone";
import { restic } from "./restic";
import { rsync } from "./rsync";
import { tar } from "./tar";

/**
 * One line per engine.
 *
 * @public
 */
export const engines: Readonly<Record<EngineName, Engine>> = {
  restic,
  borg,
  pgbackrest,
  rclone,
  postgres,
  rsync,
  tar,
  borgmatic,
  kopia,
  other,
};
