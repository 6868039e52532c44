/** Texts of a page, each with its replacement where the samples are run. */
export interface Places {
  /** Stands for the root of the file system. */
  root: string;
  port: number;
  /** True if demonstration data is small. */
  isSmall: boolean;
  /** Stands for db.example.org and its database, where a page needs PostgreSQL. */
  postgres?: { host: string; port: number } | undefined;
  /** Blanks that a reader fills in: by name, the word of the shell that follows `NAME=` where a page ends it with dots. */
  blanks: Record<string, string>;
}

/** Folders of pages that are below the root of the samples. Not in the middle of a path or an address. */
const folders =
  /(?<![\w.$}*/])(\/(opt\/holdfast|var\/lib\/(?:holdfast|prometheus)|etc\/(?:holdfast|systemd|borgmatic)|var\/backups|backup|safe\/place|srv|mnt|usr\/local\/bin|tmp))(?=[/\s"':;.]|$)/gm;

/** Rewrites the commands of a page for the place where they are run. */
export function moveToPlaces(text: string, { root, port, postgres, blanks, isSmall }: Places): string {
  let moved = text
    .replaceAll(folders, `${root}$1`)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`)
    // The service of the page is the one that runs.
    .replaceAll("--base-url https://backup.example.org", `--base-url http://127.0.0.1:${port}`)
    .replaceAll(/--port [0-9]+|HOLDFAST_PORT=[0-9]+/g, (flag) => flag.replace(/[0-9]+$/, "0"));
  if (isSmall) moved = moved.replaceAll(/\bholdfast demo$/gm, "holdfast demo --users 20 --tasks 8000");
  if (postgres) {
    moved = moved
      .replaceAll("@db.example.org/", `@${postgres.host}:${postgres.port}/`)
      .replaceAll("--host=db.example.org", `--host=${postgres.host} --port=${postgres.port}`);
  }
  for (const [name, value] of Object.entries(blanks)) {
    moved = moved.replaceAll(
      new RegExp(`^(export )?${name}=\\S*(…|\\.\\.\\.)`, "gm"),
      (_all, before = "") => `${before}${name}=${value}`,
    );
  }
  return moved;
}
