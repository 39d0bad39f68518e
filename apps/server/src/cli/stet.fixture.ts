import type { ListedCommand } from './command.ts';
import { COMMANDS } from './commands.ts';
import { runCommand } from './run-command.ts';

export type Outcome = { code: number; out: string; stderr: string };

/** Runs a command with this environment and standard input, in the same way as the process. */
export async function stet(
  args: string[],
  env: Record<string, string> = {},
  { commands = COMMANDS, input = '' }: { commands?: readonly ListedCommand[]; input?: string } = {},
): Promise<Outcome> {
  let [out, stderr] = ['', ''];
  const code = await runCommand(args, commands, {
    env,
    out: async (text) => void (out += text),
    say: (line) => void (stderr += `${line}\n`),
    read: async () => input,
    askSecret: async () => null,
  });
  return { code, out, stderr };
}
