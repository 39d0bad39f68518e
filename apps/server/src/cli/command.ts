import type { ParseArgsConfig } from 'node:util';

/** Everything a command gets from its environment, apart from its arguments. */
export type Terminal = {
  env: Record<string, string | undefined>;
  /** Writes to standard output. Waits if the reader is slow. */
  out: (text: string) => Promise<void>;
  /** Writes a line to standard error, for people rather than for programs that parse the output. */
  say: (line: string) => void;
  /** Reads all of standard input. */
  read: () => Promise<string>;
  /** Prompts at the terminal without echoing the input. Null if standard input isn't a terminal. */
  askSecret: (question: string) => Promise<string | null>;
};

export type Arguments = {
  /** The arguments that aren't options, without the words of the command. */
  positionals: string[];
  options: Record<string, string | boolean | (string | boolean)[] | undefined>;
};

export type Command = {
  /** For example `waitlist export`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The full help text: usage, options, examples. */
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** The minimum and maximum number of positional arguments. If absent, none are allowed. */
  positionals?: { min: number; max: number };
  /** Returns the exit code, which is 0 for success. */
  run: (args: Arguments, terminal: Terminal) => Promise<number>;
};

/**
 * An entry in the list of commands: the command itself, or a function that loads it when it runs. Most commands are
 * loaded on demand, so that those that don't need the database never load its code.
 */
export type ListedCommand = Command | { name: string; summary: string; load: () => Promise<Command> };

/** A failure that is shown as its message, without a stack trace. */
export class CommandProblem extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The exit code for invalid arguments. */
export const USAGE = 2;

/** Exit codes for the calling program. Some commands have other ones, for example `audit verify`. */
export const EXIT = { failed: 1, usage: USAGE, conflict: 3, notSignedIn: 4, unreachable: 5 } as const;

/** Returns the value of a text option, or null if it wasn't given. */
export const textOption = ({ options }: Arguments, name: string): string | null => {
  const value = options[name];
  return typeof value === 'string' ? value : null;
};

/** The list of exit codes in the help texts of the commands that call a server. */
export const EXIT_CODES_IN_WORDS = `Exit codes:
  0  done
  1  failed; the reason is on standard error
  2  invalid arguments
  3  conflict: something changed elsewhere, and a person has to decide
  4  not signed in (see stet login)
  5  the server is not responding
`;
