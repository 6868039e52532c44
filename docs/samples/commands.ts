import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLines } from "../../packages/server/test/built-programs";
import { repository } from "./read-samples";

const main = commandLines().default;

/**
 * The commands that pages name and a machine for tests does not have as they mean it. Each lies in a folder in front of PATH.
 * Everything else that a page calls is the real program.
 */
const commands: Record<string, string> = {
  // A command of Holdfast, in the process of the test where that is quicker: see answer-calls.ts.
  holdfast: `
case "$HOLDFAST_SAMPLES_REAL $1 $*" in
  0\\ serve\\ *) ;;
  1\\ serve\\ *) exec bun "${repository}/docs/samples/start-and-stop.ts" "${main}" "$@" ;;
  1\\ *|*\\ run\\ *|*\\ spool\\ *|*' -') exec bun --config=/dev/null --no-env-file "${main}" "$@" ;;
esac
call=$HOLDFAST_SAMPLES/calls/$$
printf '%s\\0' "$PWD" "$@" > "$call.args"
env -0 > "$call.env"
command curl -s --unix-socket "$HOLDFAST_SAMPLES/socket" "http://samples/command?call=$call" > "$call.status"
[ ! -s "$call.stdout" ] || cat "$call.stdout"
[ ! -s "$call.stderr" ] || cat "$call.stderr" >&2
read -r status < "$call.status"
exit "$status"`,
  npx: `
command=$1
shift
exec "$command" "$@"`,
  bun: `exec "${process.execPath}" "$@"`,
  // Without another user: the folder of the samples belongs to the one who runs them.
  sudo: `
while :; do
  case $1 in
    -u) shift 2 ;;
    *=*) export "$1"; shift ;;
    *) break ;;
  esac
done
case $1 in
  install|systemctl|npx|holdfast|git|mv|cp|ln|tee|systemd-analyze|borgmatic) exec "$@" ;;
  *) echo "sudo $*: the samples do nothing to the machine that they run on" >&2; exit 1 ;;
esac`,
  npm: `
echo "npm $*: the samples install nothing" >&2
exit 1`,
  // There is no user of that name: everything belongs to the one who runs the samples.
  install: `
for argument; do
  shift
  case $skip$argument in
    -o|-g) skip=1; continue ;;
    1*) skip=; continue ;;
  esac
  set -- "$@" "$argument"
done
exec /usr/bin/install "$@"`,
  // Starts and stops the service itself. Other units are checked by systemd-units.test.ts, and not started.
  systemctl: `
case "$*" in
  start\\ holdfast|stop\\ holdfast|restart\\ holdfast)
    /usr/bin/env curl -sf --unix-socket "$HOLDFAST_SAMPLES/socket" "http://samples/$1" ;;
  daemon-reload|enable\\ --now\\ *|reload\\ *) ;;
  *) echo "systemctl $*: the samples have no such command" >&2; exit 1 ;;
esac`,
};

/** Script that is read before the blocks of a page: curl notes each status, and a stream is not listened to for ever. */
export const prologue = `
curl() {
  case " $* " in
    *" --max-time "*|*" -m "*) limit= ;;
    *" --no-buffer "*) limit="--max-time 1" ;;
    *) limit="--max-time 60" ;;
  esac
  command curl $limit -w '%{stderr}\\nsample-status %{http_code}\\n' "$@" || {
    code=$?
    case "$code $*" in 28\\ *--no-buffer*) return 0 ;; esac
    return $code
  }
}
set -eu
`;

/** Puts the commands into a folder. */
export function layCommands(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}
