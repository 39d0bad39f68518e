import { CommandProblem, EXIT } from '../command.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Checks a run id that a person typed. Refuses an invalid one. */
export function runId(typed: string): string {
  if (UUID.test(typed)) return typed;
  throw new CommandProblem(`"${typed}" is not a run id. See: stet runs list`, EXIT.usage);
}
