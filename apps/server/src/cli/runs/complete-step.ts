import { openApi } from '../client/api.ts';
import { currentLogin } from '../client/saved-login.ts';
import { json } from '../client/shown.ts';
import {
  type Arguments,
  type Command,
  CommandProblem,
  EXIT,
  EXIT_CODES_IN_WORDS,
  type Terminal,
  textOption,
} from '../command.ts';
import { runInWords } from './run-words.ts';
import { runId } from './run-id.ts';

export const runsComplete: Command = {
  name: 'runs complete',
  summary: 'Complete a step of a run, or vote on an approval',
  help: `Usage: stet runs complete RUN STEP [--text TEXT] [--field ID=VALUE]… [--output JSON] [--notes TEXT] [--json]

Completes an active step and shows the run. A manual step needs input: --text, or the fields of its form.
If someone else completed it first, or the run is paused, the exit code is 3.

Options:
  --text TEXT       the input; use - to read it from standard input
  --field ID=VALUE  a form field; yes or no for a yes-no field, a number without a unit or thousands
                    separators; repeat it for each of several choices
  --output JSON     the whole output as a JSON object, instead of --text and --field
  --notes TEXT      notes for the history
  --json            print the run as JSON, as returned by GET /api/runs/{id}
  -h, --help        show this help

${EXIT_CODES_IN_WORDS}
Example: stet runs complete 5f0c7f2e-6c1b-4a51-9f0e-0d5b3b7f1c11 register --text "Registered as V-1002"
`,
  options: {
    text: { type: 'string' },
    field: { type: 'string', multiple: true },
    output: { type: 'string' },
    notes: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: { min: 2, max: 2 },
  run: async (args, terminal) => {
    const [id = '', stepId = ''] = args.positionals;
    const api = openApi(currentLogin(terminal.env));
    const run = await api.call('GET /api/runs/{id}', { params: { id: runId(id) } });
    const kinds = new Map(run.steps.find((step) => step.id === stepId)?.fields.map((field) => [field.id, field.kind]));
    const output = await outputOf(args, terminal, kinds);
    const body = { stepId, ...(output && { output }), notes: textOption(args, 'notes') };
    const after = await api.call('POST /api/runs/{id}/complete', { params: { id }, body });
    await terminal.out(args.options['json'] === true ? json(after) : runInWords(after));
    return 0;
  },
};

async function outputOf(
  args: Arguments,
  terminal: Terminal,
  kinds: ReadonlyMap<string, string>,
): Promise<object | null> {
  const [text, whole] = [textOption(args, 'text'), textOption(args, 'output')];
  const { field } = args.options;
  const fields = Array.isArray(field) ? field.map(String) : [];
  if (whole !== null) {
    if (text !== null || fields.length > 0)
      throw new CommandProblem("runs complete: --output can't be combined with --text or --field.", EXIT.usage);
    return objectOf(whole);
  }
  if (text === null && fields.length === 0) return null;
  return {
    ...(text !== null && { text: text === '-' ? await terminal.read() : text }),
    ...(fields.length > 0 && {
      fields: valuesOf(
        fields.map((entry) => fieldOf(entry, kinds)),
        kinds,
      ),
    }),
  };
}

/** A multiple-choice field has one entry per choice. For any other field, the last entry is used. */
function valuesOf(entries: readonly [string, unknown][], kinds: ReadonlyMap<string, string>): Record<string, unknown> {
  const allOf = (id: string) => entries.filter(([other]) => other === id).map(([, value]) => value);
  return Object.fromEntries(entries.map(([id, value]) => [id, kinds.get(id) === 'many_of' ? allOf(id) : value]));
}

function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Invalid JSON is reported below, in the same way as JSON that isn't an object.
  }
  throw new CommandProblem('runs complete: --output must be a JSON object, for example {"text":"done"}.', EXIT.usage);
}

function fieldOf(entry: string, kinds: ReadonlyMap<string, string>): [string, unknown] {
  const at = entry.indexOf('=');
  if (at < 1) throw new CommandProblem(`runs complete: --field must be ID=VALUE, not "${entry}".`, EXIT.usage);
  const [id, value] = [entry.slice(0, at), entry.slice(at + 1)];
  const kind = kinds.get(id);
  if (kind === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return [id, Number(value)];
  if (kind === 'yes_no' && /^(?:yes|true|no|false)$/i.test(value)) return [id, /^(?:yes|true)$/i.test(value)];
  return [id, value];
}
