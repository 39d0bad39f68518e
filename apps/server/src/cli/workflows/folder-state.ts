import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandProblem } from '../command.ts';
import type { SavedLogin } from '../client/saved-login.ts';

const base = z.object({
  /**
   * The version that the file is based on, by a pull or a push: its id, its number (null for a draft) and its content
   * hash.
   */
  versionId: z.string().nullable(),
  version: z.number().int().nullable(),
  contentHash: z.string().nullable(),
  /** The draft that was last pushed from this folder, in its state after the push. */
  draft: z.object({ id: z.string(), revision: z.number().int(), contentHash: z.string() }).nullable(),
});
/** The state that a file in the folder is based on. All fields except `draft` are null for a new workflow. */
export type Base = z.infer<typeof base>;

const folderState = z.object({
  server: z.string(),
  organization: z.object({ id: z.string(), name: z.string() }).nullable(),
  workflows: z.record(z.string(), base),
});
export type FolderState = z.infer<typeof folderState>;

const STATE_FILE = '.stet.json';

/**
 * Reads the state file of a folder. Refuses a folder that was pulled from a different server or organization, because
 * its files would become drafts in the wrong place.
 */
export function readFolderState(folder: string, { server, organization }: SavedLogin): FolderState {
  const file = join(folder, STATE_FILE);
  if (!existsSync(file)) return { server, organization, workflows: {} };
  const state = parsed(file);
  if (state.server !== server)
    throw new CommandProblem(`${folder} was pulled from ${state.server}, but you are signed in to ${server}.`);
  if (state.organization && organization && state.organization.id !== organization.id)
    throw new CommandProblem(
      `${folder} was pulled from ${state.organization.name}, but you are signed in to ${organization.name}. See: stet login --help`,
    );
  return { ...state, organization: state.organization ?? organization };
}

function parsed(file: string): FolderState {
  try {
    return folderState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new CommandProblem(`${file} is damaged. Restore it, or delete it and pull again.`);
  }
}

/** Sorts the keys, so that rewriting the file changes only the lines that differ. */
export function writeFolderState(folder: string, state: FolderState): void {
  const workflows = Object.fromEntries(Object.entries(state.workflows).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeWhole(join(folder, STATE_FILE), `${JSON.stringify({ ...state, workflows }, null, 2)}\n`);
}

/** Writes a file atomically: it has either the old or the new content. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
