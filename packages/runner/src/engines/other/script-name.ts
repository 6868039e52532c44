import { createHash } from "node:crypto";
import { basename } from "node:path";
import { maskSecrets, secretsOf } from "../../secrets";
import type { Invocation } from "../engine";
import { steadyPath } from "../places";

/** A program that runs a script: the letters of its options that have a value, and of those that are followed by code. */
interface Interpreter {
  programs: RegExp;
  valued: string;
  code: string;
}

const interpreters: readonly Interpreter[] = [
  { programs: /^(ba|da|k|mk|z|a)?sh$/, valued: "oO", code: "c" },
  { programs: /^(python|pypy)[\d.]*$/, valued: "WX", code: "cm" },
  { programs: /^(perl|ruby)[\d.]*$/, valued: "IMmrC", code: "eE" },
  { programs: /^node(js)?$/, valued: "r", code: "ep" },
  { programs: /^php[\d.]*$/, valued: "cdzf", code: "r" },
];

/** Name and operation of a command that is no engine. */
export interface ScriptName {
  /** The base name of the script, or else of the program. */
  name: string;
  operation: string;
}

/** Names the script that a command runs: `backup.sh` of `bash /opt/backup.sh`, and `sh` of `sh -c …`. */
export function scriptOf({ program, args, environment }: Invocation): ScriptName {
  const interpreter = interpreters.find(({ programs }) => programs.test(program));
  const found = interpreter === undefined ? {} : findScript(interpreter, args);
  if (found.code !== undefined) {
    // Jobs written in the command line differ in their text alone. It is not sent: it may hold a password.
    const text = steadyPath(maskSecrets(found.code, secretsOf(environment)));
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
    return { name: program, operation: `${program} -${found.letter} ${digest}` };
  }
  const name = found.script === undefined ? program : basename(found.script);
  return { name: name || "command", operation: name || "command" };
}

interface FoundScript {
  script?: string;
  letter?: string;
  code?: string;
}

function findScript({ valued, code }: Interpreter, args: readonly string[]): FoundScript {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return script(args[at + 1]);
    if (!/^[-+]./.test(arg)) return script(arg);
    if (arg.startsWith("--")) continue;
    const letters = [...arg.slice(1)];
    const letter = letters.find((one) => code.includes(one) || valued.includes(one));
    if (letter === undefined) continue;
    const rest = letters.slice(letters.indexOf(letter) + 1).join("");
    if (code.includes(letter)) {
      // Of `bash -ec 'code'`, the code is the next argument; of `perl -e'code'`, it is the rest.
      const text = rest === "" || /^[a-z]{1,3}$/.test(rest) ? (args[at + 1] ?? rest) : rest;
      return letter === "m" ? script(text) : { letter, code: text };
    }
    if (rest === "") at += 1;
  }
  return {};
}

function script(path: string | undefined): FoundScript {
  return path === undefined || path === "-" ? {} : { script: path };
}
