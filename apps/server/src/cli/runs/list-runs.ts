import { RUN_STATUSES, type RunStatus } from '@stet/domain/runs';
import { SLA_STATES, type SlaState } from '@stet/domain/sla';
import { openApi } from '../client/api.ts';
import { currentLogin } from '../client/saved-login.ts';
import { json } from '../client/shown.ts';
import { type Arguments, type Command, CommandProblem, EXIT, EXIT_CODES_IN_WORDS, textOption } from '../command.ts';
import { runInWords, runsInWords } from './run-words.ts';
import { runId } from './run-id.ts';

const PAGE = 200;
const USUALLY = 50;

export const runsList: Command = {
  name: 'runs list',
  summary: 'List runs, newest first',
  help: `Usage: stet runs list [--workflow KEY] [--tag TAG] [--status STATUS] [--sla STATE] [--search TEXT] [--limit N] [--json]

Options:
  --workflow KEY   runs of this workflow
  --tag TAG        runs of workflows with this tag
  --status STATUS  ${RUN_STATUSES.join(', ')}
  --sla STATE      ${SLA_STATES.join(', ')}
  --search TEXT    part of the name
  --limit N        maximum number of runs; default ${USUALLY}
  --json           print JSON, as returned by GET /api/runs
  -h, --help       show this help

${EXIT_CODES_IN_WORDS}
Example: stet runs list --status running --sla breached
`,
  options: {
    workflow: { type: 'string' },
    tag: { type: 'string' },
    status: { type: 'string' },
    sla: { type: 'string' },
    search: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (args, terminal) => {
    const most = Number(textOption(args, 'limit') ?? USUALLY);
    if (!Number.isSafeInteger(most) || most < 1)
      throw new CommandProblem('runs list: --limit must be 1 or more.', EXIT.usage);
    const query = {
      workflow: textOption(args, 'workflow') ?? undefined,
      tag: textOption(args, 'tag') ?? undefined,
      status: oneOf<RunStatus>(args, 'status', RUN_STATUSES),
      sla: oneOf<SlaState>(args, 'sla', SLA_STATES),
      q: textOption(args, 'search') ?? undefined,
      limit: Math.min(most, PAGE),
    };
    const runs = await openApi(currentLogin(terminal.env)).list('GET /api/runs', { query }, most);
    await terminal.out(args.options['json'] === true ? json(runs) : runsInWords(runs));
    if (runs.length === 0) terminal.say('No runs.');
    return 0;
  },
};

export const runsShow: Command = {
  name: 'runs show',
  summary: 'Show a run with its steps',
  help: `Usage: stet runs show RUN [--json]

Options:
  --json      print the run and its history as JSON, as returned by GET /api/runs/{id}
  -h, --help  show this help

${EXIT_CODES_IN_WORDS}
Example: stet runs show 5f0c7f2e-6c1b-4a51-9f0e-0d5b3b7f1c11
`,
  options: { json: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [id = ''], options }, terminal) => {
    const run = await openApi(currentLogin(terminal.env)).call('GET /api/runs/{id}', { params: { id: runId(id) } });
    await terminal.out(options['json'] === true ? json(run) : runInWords(run));
    return 0;
  },
};

function oneOf<T extends string>(args: Arguments, name: string, allowed: readonly T[]): T | undefined {
  const text = textOption(args, name);
  if (text === null) return undefined;
  const found = allowed.find((value) => value === text);
  if (found === undefined)
    throw new CommandProblem(`runs list: --${name} must be one of ${allowed.join(', ')}.`, EXIT.usage);
  return found;
}
