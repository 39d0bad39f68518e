import { type Api, CallRefused, openApi } from '../client/api.ts';
import { currentLogin } from '../client/saved-login.ts';
import { columns, json, shown } from '../client/shown.ts';
import { type Command, CommandProblem, EXIT, EXIT_CODES_IN_WORDS } from '../command.ts';
import { type PushDecision, conflictInWords, decidePush } from './decide-push.ts';
import { type FolderState, readFolderState, writeFolderState } from './folder-state.ts';
import { type ReadFile, filesToPush } from './files-to-push.ts';
import { type Remote, listRemotes, reviewAddress } from './remote.ts';

const HELP = `Usage: stet workflows push FOLDER [KEY…] [--submit] [--dry-run] [--force] [--json]

Creates a draft for each file whose content isn't live yet, or updates the draft that was pushed from it before. A push
never makes anything live: drafts are reviewed and merged as usual. Files without changes are skipped.

If a different version went live after the pull, or someone else changed the draft, that is a conflict (exit code 3): the
file isn't pushed, but the others are. If any file can't be read, nothing is pushed.

Options:
  KEY…        only these workflows
  --submit    submit the drafts for review
  --dry-run   show what would be done
  --force     create a new draft despite a conflict; existing drafts are not overwritten
  --json      print the result as JSON
  -h, --help  show this help

${EXIT_CODES_IN_WORDS}
Example: stet workflows push workflows --submit
`;

type Pushed = {
  key: string;
  file: string;
  result: 'unchanged' | 'created' | 'saved' | 'submitted' | 'conflict';
  draftId: string | null;
  address: string | null;
  sentence: string;
};

export const workflowsPush: Command = {
  name: 'workflows push',
  summary: 'Create or update drafts from the YAML files in a folder',
  help: HELP,
  options: {
    submit: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    force: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: { min: 1, max: 1001 },
  run: async ({ positionals: [folder = '', ...keys], options }, terminal) => {
    const api = openApi(currentLogin(terminal.env));
    const state = readFolderState(folder, api.login);
    const remotes = await listRemotes(api);
    const files = await filesToPush(folder, keys, remotes);
    const [submit, dry, force] = ['submit', 'dry-run', 'force'].map((name) => options[name] === true);
    const results: Pushed[] = [];
    for (const file of files) {
      const remote = remotes.get(file.key);
      const decided = decidePush(file.content.hash, state.workflows[file.key], remote);
      const decision =
        decided.do === 'refuse' && decided.conflict.why !== 'gone' && force ? { do: 'create' as const } : decided;
      results.push(await pushOne({ api, state, file, remote, decision, submit: submit === true, dry: dry === true }));
      // The state is saved after each file, so that the next push knows which files were pushed if this push fails.
      if (dry !== true) writeFolderState(folder, state);
    }
    if (options['json'] === true) await terminal.out(json(results));
    else await terminal.out(columns(results.map(({ key, sentence }) => [key, sentence])));
    return results.some(({ result }) => result === 'conflict') ? EXIT.conflict : 0;
  },
};

type Push = {
  api: Api;
  state: FolderState;
  file: ReadFile;
  remote: Remote | undefined;
  decision: PushDecision;
  submit: boolean;
  dry: boolean;
};

async function pushOne(push: Push): Promise<Pushed> {
  const { api, state, file, remote, decision, submit, dry } = push;
  const { key, name } = file;
  const nowhere = { key, file: name, draftId: null, address: null };
  if (decision.do === 'refuse')
    return { ...nowhere, result: 'conflict', sentence: `CONFLICT: ${conflictInWords(decision.conflict)}` };
  if (decision.do === 'nothing') {
    if (decision.because === 'live' && remote?.live) state.workflows[key] = baseOf(remote, null);
    return { ...nowhere, result: 'unchanged', sentence: 'unchanged' };
  }
  // The draft wasn't pushed from this folder, so it isn't submitted from here either.
  if (decision.do === 'keep' && !decision.own)
    return { ...nowhere, result: 'unchanged', sentence: 'a draft already has this content' };
  if (dry) return { ...nowhere, ...intended(decision, submit) };

  try {
    const draft = decision.do === 'keep' ? decision : await make(push, decision);
    state.workflows[key] = baseOf(remote, {
      id: draft.draftId,
      revision: draft.revision,
      contentHash: file.content.hash,
    });
    const toSubmit = submit && !draft.submitted;
    if (toSubmit)
      await api.call('POST /api/workflows/{key}/drafts/{id}/submit', { params: { key, id: draft.draftId } });
    const address = reviewAddress(api.login.server, key, draft.draftId);
    const did = { keep: 'a draft already has this content', create: 'draft created', save: 'draft updated' }[
      decision.do
    ];
    const result = toSubmit
      ? 'submitted'
      : ({ keep: 'unchanged', create: 'created', save: 'saved' } as const)[decision.do];
    const sentence = `${did}${toSubmit ? ', submitted for review' : draft.submitted ? ', in review' : ''}: ${address}`;
    return { key, file: name, result, draftId: draft.draftId, address, sentence };
  } catch (error) {
    if (!(error instanceof CallRefused && error.status === 409)) throw namingFile(error, name);
    return { ...nowhere, result: 'conflict', sentence: `CONFLICT: ${shown(error.message)}` };
  }
}

type Made = { draftId: string; revision: number; submitted: boolean };

async function make(
  { api, file, remote }: Push,
  decision: Extract<PushDecision, { do: 'create' | 'save' }>,
): Promise<Made> {
  const { key, content, text } = file;
  if (decision.do === 'save') {
    const { metadata, steps } = content;
    const saved = await api.call('PATCH /api/workflows/{key}/drafts/{id}', {
      params: { key, id: decision.draftId },
      body: { metadata, steps },
      ifMatch: decision.revision,
    });
    return { ...saved, submitted: decision.submitted };
  }
  const made = await api.call('POST /api/workflows/{key}/import-yaml', {
    params: { key },
    query: { format: 'yaml' },
    body: text,
  });
  const at = { params: { key, id: made.draftId } };
  const { baseVersion } = await api.call('GET /api/workflows/{key}/drafts/{id}', at);
  if (baseVersion === (remote?.live?.number ?? null)) return { ...made, submitted: false };
  // A version went live between the check and the import, so the draft is based on a version with which it wasn't
  // compared.
  await api.call('DELETE /api/workflows/{key}/drafts/{id}', at);
  throw new CallRefused(409, 'moved', `v${baseVersion} just went live. Pull and edit again`);
}

const baseOf = (remote: Remote | undefined, draft: FolderState['workflows'][string]['draft']) => ({
  versionId: remote?.live?.id ?? null,
  version: remote?.live?.number ?? null,
  contentHash: remote?.live?.hash ?? null,
  draft,
});

function intended(decision: PushDecision, submit: boolean): Pick<Pushed, 'result' | 'sentence'> {
  const then = submit ? ', and submit it for review' : '';
  if (decision.do === 'save') return { result: 'saved', sentence: `would update its draft${then}` };
  if (decision.do === 'keep')
    return submit && !decision.submitted
      ? { result: 'submitted', sentence: 'would submit its draft for review' }
      : { result: 'unchanged', sentence: 'a draft already has this content' };
  return { result: 'created', sentence: `would create a draft${then}` };
}

function namingFile(error: unknown, name: string): unknown {
  if (!(error instanceof CommandProblem)) return error;
  return new CommandProblem(`${name}: ${shown(error.message)}`, error.exitCode);
}
