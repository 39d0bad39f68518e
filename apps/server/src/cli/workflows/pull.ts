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

Writes each workflow as FOLDER/KEY.yaml: what is live, else its newest draft. FOLDER/.stet.json remembers what was
pulled; keep it beside the files, in version control as well.

A file whose content is the same is left as it is, comments and all. A file that was edited is kept; where the server
has changed too, that is a conflict (exit code 3) and nothing is written.

Options:
  KEY…        these workflows alone
  --force     take the server's side of a conflict; the edited file is kept as FILE.orig (FILE.orig.2, …)
  --json      the result as JSON
  -h, --help  show this

${EXIT_CODES_IN_WORDS}
Example: stet workflows pull workflows
`;

type Pulled = { key: string; file: string; result: PullDecision | 'replaced' | 'gone'; version: number | null };

const IN_WORDS: Record<Pulled['result'], string> = {
  new: 'new here',
  updated: 'updated',
  same: 'unchanged',
  edited: 'edited here; kept',
  replaced: "replaced by the server's; your edit is in FILE.orig",
  conflict: 'CONFLICT: edited here, and changed on the server; nothing written. --force takes the server’s side',
  gone: 'no longer on the server; the file is left',
};

export const workflowsPull: Command = {
  name: 'workflows pull',
  summary: 'Write workflows as YAML files into a folder',
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

/** What is pulled: the live version, which never changes, or the newest draft, whose text is read at once with its hash. */
async function sourceOf(api: Api, { key, live }: Remote): Promise<Source> {
  const exported = (query: object): Promise<string> =>
    api.text('GET /api/workflows/{key}/export-yaml', { params: { key }, query: { format: 'yaml', ...query } });
  if (live) return { versionId: live.id, hash: live.hash, text: () => exported({ version: live.number }) };
  const { draftId } = await api.call('GET /api/workflows/{key}', { params: { key } });
  const text = await exported(draftId === null ? {} : { draftId });
  const read = await readWorkflowFile(text, 'yaml');
  const content = read.ok ? contentOf(read.file, null) : null;
  if (!content) throw new CommandProblem(`"${key}" can't be read: the server is of another version.`);
  return { versionId: draftId ?? '', hash: content.hash, text: async () => text };
}

/** Beside an edit that was kept before, the next one has a number. */
function freeOriginal(path: string): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? `${path}.orig` : `${path}.orig.${n}`;
    if (!existsSync(name)) return name;
  }
}

/** Some file systems take "Hiring" and "hiring" for one name. */
function freeName(folder: string, key: string, { workflows }: FolderState): string {
  const twin = Object.keys(workflows).find((other) => other !== key && other.toLowerCase() === key.toLowerCase());
  if (twin === undefined) return `${key}.yaml`;
  throw new CommandProblem(
    `"${key}" and "${twin}" differ in capitals alone, and ${join(folder, `${key}.yaml`)} may be the file of both. Pull one of them by its key into another folder.`,
  );
}
