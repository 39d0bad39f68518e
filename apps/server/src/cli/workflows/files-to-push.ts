import { existsSync } from 'node:fs';
import { CommandProblem } from '../command.ts';
import { shown } from '../client/shown.ts';
import { type LocalFile, contentOf, readLocalFiles } from './local-files.ts';
import type { Remote } from './remote.ts';

export type ReadFile = Pick<LocalFile, 'key' | 'name' | 'text'> & {
  content: NonNullable<ReturnType<typeof contentOf>>;
};

/**
 * Returns the files in the folder or, if keys are given, only the files with those keys. Refuses a missing
 * folder, a key without a file, and unreadable or incomplete files. The refusal names the file of each problem.
 */
export async function filesToPush(
  folder: string,
  keys: readonly string[],
  remotes: ReadonlyMap<string, Remote>,
): Promise<ReadFile[]> {
  if (!existsSync(folder)) throw new CommandProblem(`There is no folder ${folder}. Pull into it first.`);
  const files = await readLocalFiles(folder);
  const missing = keys.find((key) => !files.has(key));
  if (missing !== undefined) throw new CommandProblem(`There is no file for workflow "${missing}" in ${folder}.`);
  const problems: string[] = [];
  const read = [...files.values()].flatMap((local): ReadFile[] => {
    const { key, name, text } = local;
    if (keys.length > 0 && !keys.includes(key)) return [];
    const content = local.ok ? contentOf(local.file, remotes.get(key)?.metadata ?? null) : null;
    if (content) return [{ key, name, text, content }];
    problems.push(`${name}: ${shown(local.ok ? 'metadata is missing: a new workflow needs a title' : local.problem)}`);
    return [];
  });
  if (problems.length > 0) throw new CommandProblem(problems.join('\n'));
  return read;
}
