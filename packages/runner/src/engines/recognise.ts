import { basename } from "node:path";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { maskSecrets, secretsOf } from "../secrets";
import { engines } from ".";
import type { Engine, Environment, Invocation, Recognition } from "./engine";
import type { EngineName } from "./engine-names";
import { unwrap, wrappers } from "./wrappers";

/** A command, and the engine in it. */
export interface RecognisedCommand {
  argv: readonly string[];
  engine: Engine;
  invocation: Invocation;
  recognition: Recognition;
  /** Where in `argv` the engine's arguments begin. Undefined: nothing can be added, because its place is not known. */
  argumentsAt: number | undefined;
}

export interface RecogniseRequest {
  argv: readonly string[];
  environment: Environment;
  /** The name of this host. */
  host: string;
  /** `--engine`: what is inside a script. Its output is read, and nothing is added. */
  engine?: EngineName | "none";
}

/**
 * Finds the engine that a command starts. A shell or a script is not looked into.
 *
 * @public
 */
export function recogniseCommand({ argv, environment, host, engine: wanted }: RecogniseRequest): RecognisedCommand {
  const found = findProgram(argv, environment);
  const program = found === undefined ? undefined : basename(argv[found.at] ?? "");
  const own = Object.values(engines).find(({ programs }) => program !== undefined && programs.includes(program));
  const engine = wanted === undefined ? (own ?? engines.other) : engines[wanted === "none" ? "other" : wanted];
  const isOwn = engine === own && found !== undefined && program !== undefined;
  const invocation: Invocation = {
    program: isOwn ? program : (engine.programs[0] ?? program ?? ""),
    args: isOwn ? argv.slice(found.at + 1) : [],
    environment: found?.environment ?? environment,
    host,
  };
  const isKnown = isOwn || wanted === undefined || wanted === "none";
  const recognition = isKnown ? engine.recognise(invocation) : insideOf(engine, invocation);
  return {
    argv,
    engine,
    invocation,
    recognition: fitForReport(recognition, invocation),
    argumentsAt: isOwn && wanted === undefined ? found.at + 1 : undefined,
  };
}

/** Arguments can be anything, and a report takes words and short lines. A place may hold a password: `rsync://user:x@host`. */
function fitForReport(recognition: Recognition, { environment, host }: Invocation): Recognition {
  const { type, entity } = recognition;
  const value = maskSecrets(entity.value, secretsOf(environment))
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, textLimits.entity);
  return {
    ...recognition,
    type: type.replace(/\W+/g, "_").slice(0, textLimits.taskType),
    entity: { type: entity.type, value: value === "" ? host : value },
  };
}

/** What is known of an engine inside a script: its name, not its arguments. */
function insideOf(engine: Engine, invocation: Invocation): Recognition {
  const { politeSignal } = engine.recognise(invocation);
  return {
    category: "backup",
    type: `${engine.name}_run`,
    entity: { type: "host", value: invocation.host },
    stdoutIsData: false,
    politeSignal,
  };
}

interface FoundProgram {
  at: number;
  environment: Environment;
}

function findProgram(argv: readonly string[], environment: Environment): FoundProgram | undefined {
  let at = 0;
  let current = environment;
  while (at < argv.length) {
    const name = basename(argv[at] ?? "");
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
    if (wrapper === undefined) return { at, environment: current };
    const next = unwrap(wrapper, argv, at + 1);
    if (next === undefined) return undefined;
    at = next.at;
    current = { ...current, ...next.variables };
  }
  return undefined;
}
