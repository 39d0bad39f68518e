import { type DrawnStep, type NoteLeftOut, type ServerKind, SKIP, type Skippable, skipRule } from '../kind.ts';

export type AutomatedConfig = Skippable & {
  /** Body of a function of `outputs`, `run` and `step`. If it is absent or blank, the step is simulated. */
  script?: string;
  /** In seconds. */
  timeout?: number;
};

/** `reportedMs` is the duration of the script in milliseconds or, if the step is simulated, a random one. */
export type AutomatedReport = { simulated: boolean; reportedMs: number | null };

/**
 * In seconds: the longest timeout that a step can have, and the limit for every script. Scripts don't wait for anything
 * external, so a longer limit would be useless.
 */
export const SCRIPT_SECONDS = { longestTimeout: 3600, ceiling: 60 } as const;
/** The hint about the limit, at the timeout field and in the published schemas. */
export const SCRIPT_CEILING_HINT = `A script runs for at most ${SCRIPT_SECONDS.ceiling} seconds, even if its timeout is longer.`;

const DEFAULTS = { sla: '5m', config: { timeout: 300 } } as const;

/** The server runs a script, or simulates one. */
export const automated = {
  name: 'Automated',
  performedBy: 'server',
  isWork: true,
  defaults: DEFAULTS,
  settings: {
    script: { label: 'Script', limit: 50_000, form: 'code', isExact: true },
    timeout: { label: 'Timeout (s)', limit: SCRIPT_SECONDS.longestTimeout },
    skip: SKIP,
  },
  bpmn: {
    element: 'scriptTask',
    readFrom: ['scriptTask', 'serviceTask'],
    nameless: 'Script',
    configOf: (drawn, note) => ({ ...DEFAULTS.config, ...scriptOf(drawn, note) }),
  },
  outputs: () => [],
  rules: ({ script = '', timeout = DEFAULTS.config.timeout, skip }, inWords) => {
    if (script.trim() === '') return ['Simulated by the server, because it has no script', ...skipRule(skip)];
    const seconds = Math.min(timeout, SCRIPT_SECONDS.ceiling);
    const limit = seconds < 60 || seconds % 60 !== 0 ? `${seconds} seconds` : inWords(seconds * 1000);
    return [`Executed by the server within ${limit}`, ...skipRule(skip)];
  },
  findings: ({ config }) =>
    config.script?.trim()
      ? []
      : [
          {
            severity: 'warning',
            code: 'no_script',
            sentence: 'The script is missing, so the result is only simulated.',
          },
        ],
  integrations: ({ script }) => (script?.trim() ? ['script'] : []),
  reportWords: ({ simulated, reportedMs }, inWords) =>
    `${simulated ? 'simulated' : 'by its script'}${reportedMs === null ? '' : `, ${inWords(reportedMs)}`}`,
} as const satisfies ServerKind<AutomatedConfig, AutomatedReport>;

function scriptOf({ kind, script }: DrawnStep, note: NoteLeftOut): { script?: string } {
  if (kind === 'serviceTask') note('service', 'Services aren’t called; the step is simulated until it has a script');
  if (!script || script.text.trim() === '') return {};
  if (script.format === '' || /javascript|ecmascript/i.test(script.format)) return { script: script.text };
  note('script', `Scripts must be JavaScript, but this one is ${script.format}`);
  return {};
}
