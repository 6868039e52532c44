import { buildProgram } from "../../packages/cli/src/command-line";
import { usualPatience } from "../../packages/cli/src/supervisor/patience";

/** Writes the manual page of the command, from what the command says of itself. */
export async function manPage(version: string): Promise<string> {
  const program = await buildProgram(usualPatience);
  const commands = program.commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : command.commands.map((subcommand) => subcommand),
  );
  const described = commands.map((command) => {
    const parent = command.parent === program ? "" : `${command.parent?.name()} `;
    return `.TP\n.B holdfast ${roff(parent + command.name())}\n${roff(command.description())}\n`;
  });
  return `.TH HOLDFAST 1 "" "Holdfast ${version}" "User Commands"
.SH NAME
holdfast \\- control plane for data protection: the service, its command line, and the runner of backups
.SH SYNOPSIS
.B holdfast
.I command
.RI [ arguments ...]
.PP
.B holdfast run
.RI [ flags ]
\\-\\-
.I backup\\-command
.RI [ arguments ...]
.SH DESCRIPTION
${roff(program.description())}
Every command explains itself with
.BR \\-\\-help .
.SH COMMANDS
${described.join("")}.SH FILES
.TP
.I /etc/holdfast/holdfast.json
The settings of the service on this machine. Commands that work on its data read them, too.
.TP
.I /etc/holdfast/token
The token with which waiting reports are delivered.
.TP
.I /var/spool/holdfast
Reports of backups that root has run, until they are delivered.
.SH EXIT STATUS
0 for success, 1 for what failed, 2 for wrong use.
.B holdfast run
ends with the status of the command that it runs.
`;
}

function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");
}
