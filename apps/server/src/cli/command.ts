import type { ParseArgsConfig } from 'node:util';

/** A command's environment, apart from its arguments. */
export type Terminal = {
  env: Record<string, string | undefined>;
  /** Writes to standard output, and waits for a slow reader. */
  out: (text: string) => Promise<void>;
  /** Writes a line to standard error: for people, not for programs that parse the output. */
  say: (line: string) => void;
  /** All of standard input. */
  read: () => Promise<string>;
  /** Prompts at the terminal without echoing the input; null if standard input isn't a terminal. */
  askSecret: (question: string) => Promise<string | null>;
};

export type Arguments = {
  /** Arguments that aren't options, after the command's own words. */
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
  /** Number of positionals; none if absent. */
  positionals?: { min: number; max: number };
  /** Returns the exit code: 0 for success. */
  run: (given: Arguments, terminal: Terminal) => Promise<number>;
};

/**
 * An entry in the list: the command itself, or a loader for one that needs the database or must never load it. Loaded
 * only when it runs.
 */
export type ListedCommand = Command | { name: string; summary: string; load: () => Promise<Command> };

/** A failure shown as one sentence, without a stack trace. */
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

/** Exit codes for the calling program; `audit verify` has its own codes. */
export const EXIT = { failed: 1, usage: USAGE, conflict: 3, notSignedIn: 4, unreachable: 5 } as const;

/** The value of a text option; null if it wasn't given. */
export const textOption = ({ options }: Arguments, name: string): string | null => {
  const value = options[name];
  return typeof value === 'string' ? value : null;
};

/** The end of every help text: the exit codes. */
export const EXIT_CODES_IN_WORDS = `Exit codes:
  0  done
  1  failed; the reason is on standard error
  2  invalid arguments
  3  conflict: something changed elsewhere, and a person has to decide
  4  not signed in (see stet login)
  5  the server is not responding
`;
