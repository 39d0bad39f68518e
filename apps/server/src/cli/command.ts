import type { ParseArgsConfig } from 'node:util';

/** What a command works with, apart from its arguments. */
export type Terminal = {
  env: Record<string, string | undefined>;
  /** Writes to standard output, and waits while whoever reads it is slower. */
  out: (text: string) => Promise<void>;
  /** Writes a line to standard error: what a person should know, and no program that reads the output. */
  say: (line: string) => void;
  /** Standard input, to its end. */
  read: () => Promise<string>;
  /** Asks whoever sits there, without showing what is typed; null where standard input is no terminal. */
  askSecret: (question: string) => Promise<string | null>;
};

export type Arguments = {
  /** What stands without a dash, after the command's own words. */
  positionals: string[];
  options: Record<string, string | boolean | (string | boolean)[] | undefined>;
};

export type Command = {
  /** `waitlist export`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The whole help: usage, options, examples. */
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** How many positionals it takes; none where absent. */
  positionals?: { min: number; max: number };
  /** Answers the exit code: 0 where all is well. */
  run: (given: Arguments, terminal: Terminal) => Promise<number>;
};

/**
 * A command in the list: itself, or how to load it, where it needs the database or must not come near to it. What one needs
 * is then loaded only when it is run.
 */
export type ListedCommand = Command | { name: string; summary: string; load: () => Promise<Command> };

/** A failure that is told as one sentence, without a stack. */
export class CommandProblem extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The exit code for arguments that a command doesn't know. */
export const USAGE = 2;

/** What went wrong, for the program that called; `audit verify` has codes of its own. */
export const EXIT = { failed: 1, usage: USAGE, conflict: 3, notSignedIn: 4, unreachable: 5 } as const;

/** An option with a text; null where it wasn't given. */
export const textOption = ({ options }: Arguments, name: string): string | null => {
  const value = options[name];
  return typeof value === 'string' ? value : null;
};

/** The end of every help: what the exit codes mean. */
export const EXIT_CODES_IN_WORDS = `Exit codes:
  0  done
  1  failed; standard error says why
  2  the arguments were not understood
  3  conflict: something changed elsewhere, and a person has to decide
  4  not signed in (see stet login)
  5  the server does not answer
`;
