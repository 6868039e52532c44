import { basename, posix } from "node:path";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { maskSecrets, secretsOf } from "../secrets";
import { shortLine } from "../short-line";
import { engines } from ".";
import type { Engine, Environment, Invocation, Recognition } from "./engine";
import type { EngineName } from "./engine-names";
import { nameOperation } from "./operation";
import { scriptOf } from "./other/script-name";
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
  /** The folder that the command is started in. */
  folder: string;
  /** `--engine`: what is inside a script. Its output is read, and nothing is added. */
  engine?: EngineName | "none";
}

/**
 * Finds the engine that a command starts. A shell or a script is not looked into.
 *
 * @public
 */
export function recogniseCommand(request: RecogniseRequest): RecognisedCommand {
  const { argv, host, engine: wanted } = request;
  const found = findProgram(request);
  const command: Invocation = {
    program: basename(argv[found?.at ?? 0] ?? ""),
    args: argv.slice((found?.at ?? 0) + 1),
    environment: found?.environment ?? request.environment,
    host,
    folder: found?.folder ?? request.folder,
  };
  const own = found && Object.values(engines).find(({ programs }) => programs.includes(command.program));
  const engine = wanted === undefined ? (own ?? engines.other) : engines[wanted === "none" ? "other" : wanted];
  const isInside = engine !== own && engine.programs.length > 0;
  const invocation = isInside ? { ...command, program: engine.programs[0] ?? "", args: [] } : command;
  const recognition = isInside ? insideOf(engine, invocation, command) : engine.recognise(invocation);
  return {
    argv,
    engine,
    invocation,
    recognition: fitForReport(recognition, invocation),
    argumentsAt: found && engine === own && wanted === undefined ? found.at + 1 : undefined,
  };
}

/** Arguments can be anything, and a report takes words and short lines. A place may hold a password: `rsync://user:x@host`. */
function fitForReport(recognition: Recognition, { environment, host }: Invocation): Recognition {
  const { entity, operation } = recognition;
  const secrets = secretsOf(environment);
  const value = shortLine(maskSecrets(entity.value, secrets), textLimits.entity);
  const type = recognition.type.replace(/\W+/g, "_").slice(0, textLimits.taskType);
  return {
    ...recognition,
    type,
    entity: { type: entity.type, value: value === "" ? host : value },
    operation: shortLine(maskSecrets(operation, secrets), textLimits.operation) || type,
  };
}

/** Recognises an engine inside a script: its name, not its arguments. */
function insideOf(engine: Engine, invocation: Invocation, command: Invocation): Recognition {
  const { politeSignal } = engine.recognise(invocation);
  const type = `${engine.name}_run`;
  return {
    category: "backup",
    type,
    entity: { type: "host", value: invocation.host },
    operation: nameOperation(type, { sources: [scriptOf(command).operation] }),
    stdoutIsData: false,
    politeSignal,
  };
}

interface FoundProgram {
  at: number;
  environment: Environment;
  folder: string;
}

function findProgram({ argv, environment, folder: start }: RecogniseRequest): FoundProgram | undefined {
  let at = 0;
  let current = environment;
  let folder = start;
  while (at < argv.length) {
    const name = basename(argv[at] ?? "");
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
    if (wrapper === undefined) return { at, environment: current, folder };
    const next = unwrap(wrapper, argv, at + 1);
    if (next === undefined) return undefined;
    at = next.at;
    current = { ...current, ...next.variables };
    folder = posix.resolve(folder, next.folder ?? ".");
  }
  return undefined;
}
