import { DIFF_LIMITS } from '@stet/domain/defaults';
import { impactOf } from '@stet/domain/drafts';
import { presentDiff } from '../../modules/drafts/diff.presenter.ts';
import { openApi } from '../client/api.ts';
import { currentLogin } from '../client/saved-login.ts';
import { json } from '../client/shown.ts';
import { type Command, EXIT, EXIT_CODES_IN_WORDS } from '../command.ts';
import { conflictInWords, decidePush } from './decide-push.ts';
import { type FileDiff, diffInWords } from './diff-words.ts';
import { filesToPush } from './files-to-push.ts';
import { readFolderState } from './folder-state.ts';
import { listRemotes, liveContent } from './remote.ts';

const HELP = `Usage: stet workflows diff FOLDER [KEY…] [--exit-code] [--json]

Compares the files with the live versions, as the review of their drafts would: every step added, removed or modified, and
the effect on runs. Files that equal the live version are left out, and so are files that you haven't edited since the pull,
unless an open draft has the same content.

Options:
  KEY…         only these workflows
  --exit-code  exit with 1 if there are changes
  --json       print JSON: one entry per workflow, with the diff as returned by GET …/drafts/{id}/diff
  -h, --help   show this help

${EXIT_CODES_IN_WORDS}
Example: stet workflows diff workflows vendor-onboarding
`;

export const workflowsDiff: Command = {
  name: 'workflows diff',
  summary: 'Show the changes in a folder’s files, as a review would',
  help: HELP,
  options: { 'exit-code': { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1001 },
  run: async ({ positionals: [folder = '', ...keys], options }, terminal) => {
    const api = openApi(currentLogin(terminal.env));
    const state = readFolderState(folder, api.login);
    const remotes = await listRemotes(api);
    const diffs: FileDiff[] = [];
    for (const { key, name, content } of await filesToPush(folder, keys, remotes)) {
      const remote = remotes.get(key);
      const decision = decidePush(content.hash, state.workflows[key], remote);
      if (decision.do === 'nothing') continue;
      const live = remote ? await liveContent(api, remote) : null;
      const diff: FileDiff = {
        key,
        file: name,
        against: remote?.live?.number ?? null,
        ...presentDiff(live, content, DIFF_LIMITS.most),
        impact: impactOf(live, content),
        conflict: decision.do === 'refuse' ? conflictInWords(decision.conflict) : null,
      };
      diffs.push(diff);
      if (options['json'] !== true) await terminal.out(diffInWords(diff, content.steps, live?.steps ?? []));
    }
    if (options['json'] === true) await terminal.out(json(diffs));
    else if (diffs.length === 0) terminal.say('No changes.');
    return options['exit-code'] === true && diffs.length > 0 ? EXIT.failed : 0;
  },
};
