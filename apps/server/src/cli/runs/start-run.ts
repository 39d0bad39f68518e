import { PRIORITIES, type Priority, RUN_ENVS } from '@stet/contract';
import { RUN_DEFAULTS } from '@stet/domain/defaults';
import { displayTitle } from '@stet/domain/workflows';
import { type Api, openApi } from '../client/api.ts';
import { currentLogin } from '../client/saved-login.ts';
import { json } from '../client/shown.ts';
import { type Command, CommandProblem, EXIT, EXIT_CODES_IN_WORDS, textOption } from '../command.ts';
import { runInWords } from './run-words.ts';

const LONGEST_NAME = 100;

export const runsStart: Command = {
  name: 'runs start',
  summary: "Start a run of a workflow's live version",
  help: `Usage: stet runs start KEY [--name NAME] [--testing] [--description TEXT] [--priority PRIORITY] [--json]

Starts a run and shows it.

Options:
  --name NAME         3 to 100 characters; default: the workflow's title with " - Production"
  --testing           use " - Testing" in the default name
  --description TEXT  a description of the run
  --priority PRIORITY ${PRIORITIES.join(', ')}; default ${RUN_DEFAULTS.priority}
  --json              print the run as JSON, as returned by GET /api/runs/{id}
  -h, --help          show this help

${EXIT_CODES_IN_WORDS}
Example: stet runs start vendor-onboarding --name "Acme Ltd" --json
`,
  options: {
    name: { type: 'string' },
    testing: { type: 'boolean' },
    description: { type: 'string' },
    priority: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: { min: 1, max: 1 },
  run: async (args, terminal) => {
    const key = args.positionals[0] ?? '';
    const priority = textOption(args, 'priority') ?? RUN_DEFAULTS.priority;
    if (!isPriority(priority))
      throw new CommandProblem(`runs start: --priority must be one of ${PRIORITIES.join(', ')}.`, EXIT.usage);
    const api = openApi(currentLogin(terminal.env));
    const name = textOption(args, 'name') ?? (await usualName(api, key, args.options['testing'] === true));
    const description = textOption(args, 'description');
    const run = await api.call('POST /api/runs', { body: { key, name, description, priority } });
    await terminal.out(args.options['json'] === true ? json(run) : runInWords(run));
    return 0;
  },
};

const isPriority = (text: string): text is Priority => (PRIORITIES as readonly string[]).includes(text);

async function usualName(api: Api, key: string, testing: boolean): Promise<string> {
  const { metadata } = await api.call('GET /api/workflows/{key}', { params: { key } });
  const env = RUN_ENVS[testing ? 1 : 0];
  const ending = ` - ${env.charAt(0).toUpperCase()}${env.slice(1)}`;
  return displayTitle(key, metadata.title).slice(0, LONGEST_NAME - ending.length) + ending;
}
