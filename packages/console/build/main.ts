import { buildConsole } from "./build-console";

// The start of a service from source runs this with --quick.
try {
  const { scripts } = await buildConsole({ isQuick: process.argv.includes("--quick") });
  for (const { name, gzip } of scripts) process.stdout.write(`${String(gzip).padStart(8)}  ${name}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (error instanceof AggregateError) for (const one of error.errors) process.stderr.write(`${one}\n`);
  process.exitCode = 1;
}
