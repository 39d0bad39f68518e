import { describe, expect, test } from 'vitest';
import { decide } from '../runs/decide.ts';
import type { RunCommand } from '../runs/commands.ts';
import type { RunFact } from '../runs/facts.ts';
import { actorOf, ran } from '../runs/run.scenario.ts';
import type { RunState } from '../runs/state.ts';
import type { Step } from '../steps/index.ts';
import { stepOf } from '../workflows/workflow.arbitrary.ts';
import { DEVIATIONS, findingsOf } from './findings.ts';
import type { TracedNote } from './trace.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** Work with a form, a check by a script, an approval that can return the run, and a step whose input is approved. */
const STEPS: Step[] = [
  stepOf({
    id: 'work',
    sla: '2 days',
    next: ['script'],
    config: { fields: [{ id: 'photo', label: 'Photo', kind: 'photo', required: false }] },
  }),
  stepOf({ id: 'script', type: 'automated', config: {}, next: ['approve'] }),
  stepOf({ id: 'approve', type: 'approval', sla: '4h', config: { onReject: 'work' }, next: ['input'] }),
  stepOf({ id: 'input', config: { requiresApproval: true }, next: ['file'] }),
  stepOf({ id: 'file', sla: '2 days', next: ['sign'] }),
  stepOf({ id: 'sign', type: 'approval', config: {} }),
];
const PHOTO = { fileId: 'f', sha256: 'a'.repeat(64), size: 1, name: 'a.png', mediaType: 'image/png' };

type Act = {
  after: number;
  command: RunCommand;
  by?: string;
  actsFor?: 'helper';
  othersCan?: boolean;
  isAdded?: true;
};
const complete = (stepId: string, output: object = { text: 'done' }): RunCommand =>
  ({ type: 'complete', stepId, output }) as RunCommand;
const withPhoto = { text: 'done', fields: { photo: [PHOTO] } };
const approve = (stepId: string): RunCommand => ({ type: 'approve', stepId, comments: 'seen' });
const script = (activation = 1): RunCommand => ({ ...ran('script', 1), activation });

/** The actions of a run that follows its workflow; each case changes some of them. */
const PLAIN: Record<string, Act> = {
  work: { after: HOUR, command: complete('work', withPhoto), by: 'ann' },
  script: { after: SECOND, command: script(), by: 'system' },
  approve: { after: HOUR, command: approve('approve'), by: 'bob' },
  input: { after: HOUR, command: complete('input'), by: 'ann' },
  inputApproved: { after: HOUR, command: approve('input'), by: 'bob' },
  file: { after: HOUR, command: complete('file'), by: 'ann' },
  sign: { after: HOUR, command: approve('sign'), by: 'cem' },
};

function findingsIn(acts: Record<string, Act | Act[]>, notes: TracedNote[] = []): string[] {
  const facts: RunFact[] = [];
  let [at, state]: [number, RunState | null] = [0, null];
  const decideOn = ({ after, command, by = 'ann', actsFor, isAdded }: Act): void => {
    at += after;
    const actor = actorOf(by);
    const decision = decide({ steps: STEPS }, state, command, {
      at,
      actor,
      ...(actsFor && { actsFor }),
      ...(isAdded && { added: { mark: 'added_during_run', by: 'Bob' } }),
    });
    if (!decision.ok) throw new Error(`${command.type} was refused: ${decision.refusal.code}`);
    state = decision.state;
    facts.push(...decision.facts);
  };
  decideOn({ after: 0, command: { type: 'start' } });
  for (const act of Object.values({ ...PLAIN, ...acts }).flat()) decideOn(act);
  return findingsOf({ version: 1, steps: STEPS, facts, notes, calendar: null }).map(
    ({ kind, stepId }) => `${kind} ${stepId}`,
  );
}

const rejected = (by: string): Act => ({
  after: HOUR,
  command: { type: 'reject', stepId: 'approve', comments: 'again' },
  by,
});
const again = (activation: number): Act[] => [
  { ...PLAIN['work'], after: HOUR } as Act,
  { ...PLAIN['script'], command: script(activation) } as Act,
];
const skip = (stepId: string, by = 'bob'): Act => ({
  after: HOUR,
  command: { type: 'skip', stepId, reason: 'not needed' },
  by,
});

const CASES: [string, Record<string, Act | Act[]>, string[]][] = [
  ['nothing', {}, []],
  ['a skipped approval', { sign: skip('sign') }, ['control_skipped sign']],
  ['a skipped step', { file: skip('file') }, ['step_skipped file']],
  [
    'an approval after nine seconds',
    { approve: { ...PLAIN['approve'], after: 9 * SECOND } as Act },
    ['approved_at_once approve'],
  ],
  [
    'input approved at once',
    { inputApproved: { ...PLAIN['inputApproved'], after: 5 * SECOND } as Act },
    ['approved_at_once input'],
  ],
  [
    'an approval by the person who did the work',
    { sign: { ...PLAIN['sign'], by: 'ann' } as Act },
    ['own_work_approved sign'],
  ],
  [
    'a decision by someone who was added during the run',
    { sign: { ...PLAIN['sign'], isAdded: true } as Act },
    ['decision_marked sign'],
  ],
  ['a step done by a helper', { file: { ...PLAIN['file'], actsFor: 'helper' } as Act }, ['done_by_other file']],
  [
    'a form without its photo',
    { work: { ...PLAIN['work'], command: complete('work', { text: 'done', fields: { photo: [] } }) } as Act },
    ['evidence_missing work'],
  ],
  [
    'a step that took more than twice its SLA',
    { approve: { ...PLAIN['approve'], after: 9 * HOUR } as Act },
    ['done_long_after approve'],
  ],
  [
    'a breach without a reaction for a day',
    { file: { ...PLAIN['file'], after: 73 * HOUR } as Act },
    ['no_reaction file'],
  ],
  [
    'a breach with a reaction',
    {
      file: [
        { after: 50 * HOUR, command: { type: 'set_priority', from: 'medium', to: 'high' }, by: 'bob' },
        { ...PLAIN['file'], after: 23 * HOUR } as Act,
      ],
    },
    [],
  ],
  [
    'three returns',
    {
      approve: [
        rejected('bob'),
        ...again(2),
        rejected('bob'),
        ...again(3),
        rejected('bob'),
        ...again(4),
        PLAIN['approve'] as Act,
      ],
    },
    ['returned_often work'],
  ],
  [
    'two returns',
    { approve: [rejected('bob'), ...again(2), rejected('bob'), ...again(3), PLAIN['approve'] as Act] },
    [],
  ],
  [
    'a simulated script',
    {
      script: {
        after: SECOND,
        by: 'system',
        command: { ...script(), report: { kind: 'automated', simulated: true, reportedMs: null } } as RunCommand,
      },
    },
    ['simulated script'],
  ],
  [
    'a retry by the people who were rejected',
    {
      sign: [
        { after: HOUR, by: 'cem', command: { type: 'reject', stepId: 'sign', comments: 'no' } },
        { after: HOUR, by: 'ann', command: { type: 'retry', stepId: 'sign', othersCan: false } },
        PLAIN['sign'] as Act,
      ],
    },
    ['retried_alone sign'],
  ],
];

describe('the findings of a run', () => {
  test.each(CASES)('with %s', (_, acts, expected) => expect(findingsIn(acts)).toEqual(expected));

  test('cover every kind of deviation in the cases above', () => {
    const named = new Set(CASES.flatMap(([, , found]) => found.map((each) => each.split(' ')[0])));
    expect(named).toEqual(new Set(DEVIATIONS));
  });

  test('treat a note as a reaction', () => {
    const late = { file: { ...PLAIN['file'], after: 73 * HOUR } as Act };
    const breach = 4 * HOUR + SECOND + 48 * HOUR;
    expect(findingsIn(late, [{ at: breach + MINUTE, stepId: 'file' }])).toEqual([]);
    expect(findingsIn(late, [{ at: breach + MINUTE, stepId: null }])).toEqual([]);
    expect(findingsIn(late, [{ at: breach + MINUTE, stepId: 'sign' }])).toEqual(['no_reaction file']);
    expect(findingsIn(late, [{ at: breach - MINUTE, stepId: 'file' }])).toEqual(['no_reaction file']);
  });

  test('are empty for a run without facts', () => {
    const facts: RunFact[] = [];
    expect(findingsOf({ version: 1, steps: STEPS, facts, notes: [], calendar: null })).toEqual([]);
  });
});
