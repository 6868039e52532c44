import type { KnipConfig } from "knip";

/** Only what the product and its tools start with is looked at: what tests alone use is dead code. */
const isProduction = process.argv.includes("--production");

export default {
  workspaces: {
    ".": {
      entry: [
        "scripts/{build,check,package-deb,record-steps,test}.ts!",
        "docs/generate-reference.ts!",
        "bench/{main,sides/bare}.ts!",
        "{scripts,docs,bench}/**/*.test.ts",
        // Started by the commands that samples run.
        "docs/samples/start-and-stop.ts",
      ],
      project: ["{scripts,docs,bench}/**/*.ts!", "!**/*.test.ts!", "!scripts/build/test/**!", "!docs/samples/**!"],
      // The runtime itself, the compiler that checks types, a schema that a test reads, and generators whose programs a test
      // starts.
      ignoreDependencies: [
        "bun",
        "types-check",
        "@cyclonedx/cyclonedx-library",
        "@hey-api/openapi-ts",
        "openapi-fetch",
        "openapi-typescript",
      ],
    },
    "packages/cli": {
      entry: ["src/main.ts!", "test/{make-data,short-timeouts-main}.ts", "**/*.test.ts"],
      project: ["**/*.ts!", "!**/*.test.ts!", "!test/**!"],
    },
    "packages/client": {
      // Its exports are for programs that are not in this repository.
      includeEntryExports: false,
      entry: [
        "src/{index,report/index}.ts!",
        "test/declared-types.ts",
        "test/scenarios/sign-in-again.ts",
        "**/*.test.ts",
      ],
      project: ["**/*.ts!", "!**/*.test.ts!", "!test/**!"],
    },
    "packages/console": {
      entry: ["src/main.tsx!", "build/{main,built-files}.ts!", "test/screenshots.ts", "**/*.test.ts"],
      project: ["**/*.{ts,tsx}!", "!**/*.test.ts!", "!test/**!"],
    },
    "packages/server": {
      // Run by hand, once for each version.
      entry: ["test/upgrades/keep-data.ts", "**/*.test.ts"],
      project: ["**/*.ts!", "!**/*.test.ts!", "!test/**!"],
    },
    "packages/*": { entry: ["**/*.test.ts"], project: ["**/*.ts!", "!**/*.test.ts!", "!test/**!"] },
  },
  includeEntryExports: true,
  // An export for a test of its own is no dead code where its file needs it too.
  ignoreExportsUsedInFile: isProduction || { interface: true, type: true },
  ignoreIssues: { "packages/server/src/database/migrations/*.ts": ["exports", "nsExports"] },
  ignoreBinaries: ["holdfast"],
} satisfies KnipConfig;
