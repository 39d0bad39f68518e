import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type WorkflowContent, type WorkflowMetadata, contentHash, isWorkflowKey } from '@stet/domain/workflows';
import { checkedFile } from '../../modules/files/checked-file.ts';
import type { WorkflowFile } from '../../modules/files/read-workflow-file.ts';
import { REFUSALS } from '../../http/refusals.ts';
import { Refused } from '../../kernel/refused.ts';
import { CommandProblem } from '../command.ts';

/**
 * A file in the folder with its content. If the file can't be read, `problem` is a sentence, with the position of the
 * error if the text is invalid.
 */
export type LocalFile = { key: string; path: string; name: string; text: string } & (
  | { ok: true; file: WorkflowFile }
  | { ok: false; problem: string }
);

const EXTENSIONS = ['.yaml', '.yml'];

/**
 * Reads the workflow files in a folder, by key. If a file doesn't contain its key, the file's name is the key. Refuses
 * two files with the same key.
 */
export async function readLocalFiles(folder: string): Promise<Map<string, LocalFile>> {
  if (!existsSync(folder)) return new Map();
  if (!statSync(folder).isDirectory()) throw new CommandProblem(`${folder} is not a folder.`);
  const files = new Map<string, LocalFile>();
  for (const name of readdirSync(folder).toSorted()) {
    if (name.startsWith('.') || !EXTENSIONS.includes(extname(name).toLowerCase())) continue;
    const local = await readLocalFile(join(folder, name));
    const twin = files.get(local.key);
    if (twin) throw new CommandProblem(`${twin.path} and ${local.path} both have the key "${local.key}".`);
    files.set(local.key, local);
  }
  return files;
}

async function readLocalFile(path: string): Promise<LocalFile> {
  const name = basename(path);
  const stem = basename(path, extname(path));
  const text = readFileSync(path, 'utf8');
  try {
    const { file } = await checkedFile(text, 'yaml');
    const key = file.key ?? stem;
    const known = { key, path, name, text };
    if (!isWorkflowKey(key)) return { ...known, ok: false, problem: `"${key}" is not a valid workflow key` };
    return { ...known, ok: true, file };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { key: stem, path, name, text, ok: false, problem: inWords(error) };
  }
}

function inWords({ refusal }: Refused): string {
  const { sentence } = REFUSALS[refusal.code];
  return typeof sentence === 'string' ? sentence : (sentence as (of: typeof refusal) => string)(refusal);
}

/**
 * Returns the content of a file. If the file has no metadata, the workflow's own metadata is used, as in an import.
 * Null if there is none either.
 */
export function contentOf(
  file: WorkflowFile,
  known: WorkflowMetadata | null,
): (WorkflowContent & { hash: string }) | null {
  const metadata = file.metadata ?? known;
  if (!metadata) return null;
  const content = { metadata, steps: file.steps };
  return { ...content, hash: contentHash(content) };
}
