import { parseArgs } from 'node:util';
import { type Arguments, type Command, CommandProblem, type ListedCommand, type Terminal, USAGE } from './command.ts';

/**
 * Runs the command named by the arguments. Returns the exit code: 0 for success or if the reader closed the pipe, 1 for
 * a failure, 2 for invalid arguments, or another code of the command or of the embedded database. Every failure is
 * reported on standard error.
 */
export async function runCommand(
  args: readonly string[],
  commands: readonly ListedCommand[],
  terminal: Terminal,
): Promise<number> {
  if (args.length === 1 && ['--version', '-V'].includes(args[0] ?? '')) {
    // Loaded on demand, because `audit verify` must not load any of the server's code.
    const { version, versionInWords } = await import('../version.ts');
    await terminal.out(`stet ${versionInWords(version)}\n`);
    return 0;
  }
  if (args[0] === 'help' && args.length > 1) return help(args.slice(1), commands, terminal);
  const listed = commands.find(({ name }) => name.split(' ').every((word, n) => args[n] === word));
  if (!listed) return explain(args, commands, terminal);
  try {
    const command = await loaded(listed);
    const rest = args.slice(command.name.split(' ').length);
    if (rest.includes('--help') || rest.includes('-h')) {
      await terminal.out(command.help);
      return 0;
    }
    return await command.run(understand(rest, command), terminal);
  } catch (error) {
    if (isDisconnected(error)) return 0;
    terminal.say(sayWhy(error));
    return isForPeople(error) ? error.exitCode : 1;
  }
}

/** Converts `stet help runs start` to `stet runs start --help`. */
const help = (args: readonly string[], commands: readonly ListedCommand[], terminal: Terminal): Promise<number> => {
  const command = commands.find(({ name }) => name === args.join(' '));
  return runCommand([...args, '--help'], command ? [command] : commands, terminal);
};

const loaded = async (listed: ListedCommand): Promise<Command> => ('load' in listed ? listed.load() : listed);

function understand(
  args: string[],
  { name, options, positionals: { min, max } = { min: 0, max: 0 } }: Command,
): Arguments {
  const given = parsed(args, name, options);
  const count = given.positionals.length;
  if (count < min) throw new CommandProblem(`${name}: an argument is missing. See: stet ${name} --help`, USAGE);
  if (count > max)
    throw new CommandProblem(
      `${name}: unexpected argument "${given.positionals[max]}". See: stet ${name} --help`,
      USAGE,
    );
  return given;
}

function parsed(args: string[], name: string, options: Command['options']): Arguments {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { positionals, options: values };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error);
    throw new CommandProblem(`${name}: ${why}. See: stet ${name} --help`, USAGE);
  }
}

/** Prints the list of commands: on standard output if it was requested, and otherwise on standard error as a hint. */
async function explain(
  args: readonly string[],
  commands: readonly ListedCommand[],
  terminal: Terminal,
): Promise<number> {
  const wantsHelp = args.length === 0 || args.some((word) => ['--help', '-h', 'help'].includes(word));
  const group = args.filter((word) => !word.startsWith('-') && word !== 'help').join(' ');
  const inGroup = commands.filter(({ name }) => name.startsWith(`${group} `));
  const shown = inGroup.length > 0 ? inGroup : commands;
  const widest = Math.max(...shown.map(({ name }) => name.length));
  const list = shown.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`).join('\n');
  const text = `Usage: stet COMMAND [OPTIONS]\n\nCommands:\n${list}\n\nMore about a command: stet help COMMAND\nThe version: stet --version\nIn a checkout, run stet as: npm run -s stet --\n`;
  if (wantsHelp && (group === '' || inGroup.length > 0)) {
    await terminal.out(text);
    return 0;
  }
  terminal.say(inGroup.length > 0 ? text : `Unknown command "${args.join(' ')}".\n\n${text}`);
  return USAGE;
}

/** True if the reader closed the pipe early, as `head` does. */
const isDisconnected = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EPIPE';

/** True for a failure with a message for people, which has a separate exit code and needs no stack trace. */
const isForPeople = (error: unknown): error is Error & { exitCode: number } =>
  error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number';

function sayWhy(error: unknown): string {
  if (isForPeople(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
