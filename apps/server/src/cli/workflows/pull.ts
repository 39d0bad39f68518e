import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, openApi } from '../client/api.ts';
import { currentLogin } from '../client/saved-login.ts';
import { columns, json } from '../client/shown.ts';
import { type Command, CommandProblem, EXIT, EXIT_CODES_IN_WORDS } from '../command.ts';
import { type PullDecision, UNREADABLE, decidePull } from './decide-pull.ts';
import { type FolderState, readFolderState, writeFolderState, writeWhole } from './folder-state.ts';
import { type LocalFile, contentOf, readLocalFiles } from './local-files.ts';
import { type Remote, listRemotes } from './remote.ts';
import { readWorkflowFile } from '../../modules/files/read-workflow-file.ts';

const HELP = `Usage: stet workflows pull FOLDER [KEY…] [--force] [--json]

Writes each workflow to FOLDER/KEY.yaml: its live version, or its newest draft if nothing is live. FOLDER/.stet.json
records what was pulled; keep it with the files, and commit it too.

A file with the same content is left alone, including its comments and layout. An edited file is kept; if the workflow
also changed on the server, that is a conflict (exit code 3) and the file stays unchanged.

Options:
  KEY…        only these workflows
  --force     resolve conflicts with the server's version; the edited file is saved as FILE.orig (FILE.orig.2, …)
  --json      print the result as JSON
  -h, --help  show this help

${EXIT_CODES_IN_WORDS}
Example: stet workflows pull workflows
`;

type Pulled = { key: string; file: string; result: PullDecision | 'replaced' | 'gone'; version: number | null };

const IN_WORDS: Record<Pulled['result'], string> = {
  new: 'new',
  updated: 'updated',
  same: 'unchanged',
  edited: 'edited here; kept',
  replaced: "replaced with the server's version; your edit is in FILE.orig",
  conflict: 'CONFLICT: edited here and changed on the server; nothing written. Use --force for the server’s version',
  gone: 'no longer on the server; the file was kept',
};

export const workflowsPull: Command = {
  name: 'workflows pull',
  summary: 'Write workflows as YAML files to a folder',
  help: HELP,
  options: { force: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1001 },
  run: async ({ positionals: [folder = '', ...keys], options }, terminal) => {
    const api = openApi(currentLogin(terminal.env));
    const state = readFolderState(folder, api.login);
    const [files, remotes] = [await readLocalFiles(folder), await listRemotes(api)];
    refuseUnknown(keys, new Set([...remotes.keys(), ...files.keys()]));
    mkdirSync(folder, { recursive: true });

    const isWanted = (key: string): boolean => keys.length === 0 || keys.includes(key);
    const results: Pulled[] = [];
    for (const remote of remotes.values()) {
      if (!isWanted(remote.key)) continue;
      results.push(await pullOne(api, folder, state, remote, files.get(remote.key), options['force'] === true));
    }
    for (const { key, name } of files.values())
      if (isWanted(key) && !remotes.has(key) && state.workflows[key]?.contentHash)
        results.push({ key, file: name, result: 'gone', version: null });
    writeFolderState(folder, state);

    results.sort((a, b) => (a.key < b.key ? -1 : 1));
    if (options['json'] === true) await terminal.out(json(results));
    else
      await terminal.out(
        columns(
          results.map(({ key, result, version }) => [key, version === null ? '' : `v${version}`, IN_WORDS[result]]),
        ),
      );
    return results.some(({ result }) => result === 'conflict') ? EXIT.conflict : 0;
  },
};

function refuseUnknown(keys: readonly string[], known: ReadonlySet<string>): void {
  const unknown = keys.find((key) => !known.has(key));
  if (unknown !== undefined) throw new CommandProblem(`There is no workflow "${unknown}".`);
}

async function pullOne(
  api: Api,
  folder: string,
  state: FolderState,
  remote: Remote,
  local: LocalFile | undefined,
  force: boolean,
): Promise<Pulled> {
  const { key, live } = remote;
  const source = await sourceOf(api, remote);
  const base = state.workflows[key];
  const localHash = !local
    ? null
    : local.ok
      ? (contentOf(local.file, remote.metadata)?.hash ?? UNREADABLE)
      : UNREADABLE;
  const decided = decidePull(localHash, base, source.hash);
  const file = local?.name ?? freeName(folder, key, state);
  const result = decided === 'conflict' && force ? 'replaced' : decided;
  if (result === 'edited' || result === 'conflict') return { key, file, result, version: live?.number ?? null };

  if (result === 'replaced' && local) renameSync(local.path, freeOriginal(local.path));
  if (result !== 'same') writeWhole(join(folder, file), await source.text());
  const draft = base?.draft && remote.drafts.some(({ id }) => id === base.draft?.id) ? base.draft : null;
  state.workflows[key] = {
    versionId: source.versionId,
    version: live?.number ?? null,
    contentHash: source.hash,
    draft,
  };
  return { key, file, result, version: live?.number ?? null };
}

type Source = { versionId: string; hash: string; text: () => Promise<string> };

/**
 * The source of a pull: the live version, which never changes, or the newest draft. A draft's text and hash are read
 * together.
 */
async function sourceOf(api: Api, { key, live }: Remote): Promise<Source> {
  const exported = (query: object): Promise<string> =>
    api.text('GET /api/workflows/{key}/export-yaml', { params: { key }, query: { format: 'yaml', ...query } });
  if (live) return { versionId: live.id, hash: live.hash, text: () => exported({ version: live.number }) };
  const { draftId } = await api.call('GET /api/workflows/{key}', { params: { key } });
  const text = await exported(draftId === null ? {} : { draftId });
  const read = await readWorkflowFile(text, 'yaml');
  const content = read.ok ? contentOf(read.file, null) : null;
  if (!content) throw new CommandProblem(`"${key}" can't be read: the server runs a different version of Stet.`);
  return { versionId: draftId ?? '', hash: content.hash, text: async () => text };
}

/**
 * Returns an unused path for saving an edited file. If an earlier edit is already saved under the name, the path gets a
 * number.
 */
function freeOriginal(path: string): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? `${path}.orig` : `${path}.orig.${n}`;
    if (!existsSync(name)) return name;
  }
}

/**
 * Returns the name of a new file. Refuses a key that differs from another one only in case, because some file systems
 * don't distinguish "Hiring" and "hiring".
 */
function freeName(folder: string, key: string, { workflows }: FolderState): string {
  const twin = Object.keys(workflows).find((other) => other !== key && other.toLowerCase() === key.toLowerCase());
  if (twin === undefined) return `${key}.yaml`;
  throw new CommandProblem(
    `"${key}" and "${twin}" differ only in case, and both could be stored in ${join(folder, `${key}.yaml`)}. Pull one of them by its key into a different folder.`,
  );
}
