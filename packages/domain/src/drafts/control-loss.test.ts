import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent } from '../workflows/content.arbitrary.ts';
import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { stepsOf, workflowOf } from '../workflows/workflow.arbitrary.ts';
import { controlLosses, controlLossSentence, printedLossSentence } from './control-loss.ts';

const content = (steps: Step[]): WorkflowContent => ({ metadata: { title: 'Vendors', description: '' }, steps });
const approval = (config: object = {}, more: object = {}): Partial<Step> => ({ type: 'approval', config, ...more });
const condition = (trueNext: string, falseNext: string): Partial<Step> => ({
  type: 'condition',
  config: { trueNext, falseNext },
});
const signedOff: Partial<Step> = { type: 'manual', config: { requiresApproval: true } };

type Links = Record<string, string>;
type Details = Record<string, Partial<Step>>;
const between = (before: [Links, Details?], after: [Links, Details?]) =>
  controlLosses(content(stepsOf(...before)), content(stepsOf(...after)));
const sentences = (...sides: Parameters<typeof between>) => between(...sides).map(controlLossSentence);

const CHAIN: Links = { work: 'ok', ok: 'pay', pay: '' };

describe('lost controls', () => {
  it.each<{ what: string; before: [Links, Details?]; after: [Links, Details?]; losses: string[] }>([
    {
      what: 'an approval removed',
      before: [CHAIN, { ok: approval({ minimumApprovers: 2 }) }],
      after: [{ work: 'pay', pay: '' }],
      losses: ['OK is no longer an approval of this workflow: it needed 2 approvers'],
    },
    {
      what: 'an approval turned into a manual step',
      before: [CHAIN, { ok: approval() }],
      after: [CHAIN],
      losses: ['OK is no longer an approval of this workflow'],
    },
    {
      what: 'an approval with a different id',
      before: [CHAIN, { ok: approval() }],
      after: [{ work: 'new', new: 'pay', pay: '' }, { new: approval({}, { title: 'OK' }) }],
      losses: ['OK (ok) is no longer an approval of this workflow'],
    },
    {
      what: 'a step rewired past its approval',
      before: [{ work: 'ok', ok: 'pay', pay: 'ship', ship: '' }, { ok: approval() }],
      after: [{ work: 'ok pay', ok: '', pay: 'ship', ship: '' }, { ok: approval() }],
      losses: ['OK is no longer required before PAY and SHIP'],
    },
    {
      what: 'a join that no longer waits for its approval',
      before: [{ work: 'ok other', ok: 'pay', other: 'pay', pay: '' }, { ok: approval() }],
      after: [{ work: 'ok other', ok: '', other: 'pay', pay: '' }, { ok: approval() }],
      losses: ['OK is no longer required before PAY'],
    },
    {
      what: 'a condition that leads past an approval',
      before: [
        { work: 'if', if: 'ok', ok: 'pay', pay: '' },
        { if: condition('ok', 'ok'), ok: approval() },
      ],
      after: [
        { work: 'if', if: 'ok pay', ok: 'pay', pay: '' },
        { if: condition('ok', 'pay'), ok: approval() },
      ],
      losses: ['OK is no longer required before PAY'],
    },
    {
      what: 'a step with a different id that bypasses its approval',
      before: [CHAIN, { ok: approval() }],
      after: [
        { work: 'ok new', ok: '', new: '' },
        { ok: approval(), new: { title: 'PAY' } },
      ],
      losses: ['OK is no longer required before PAY (new)'],
    },
    {
      what: 'a step that begins the run',
      before: [CHAIN, { ok: approval() }],
      after: [{ work: 'ok', ok: '', pay: '' }, { ok: approval() }],
      losses: ['OK is no longer required before PAY', 'PAY is active from the start of the run'],
    },
    {
      what: 'an approval that begins the run, before the work',
      before: [CHAIN, { ok: approval() }],
      after: [{ ok: 'pay', work: 'pay', pay: '' }, { ok: approval() }],
      losses: ['OK is active from the start of the run'],
    },
    {
      what: 'an approval now parallel to the work that it followed',
      before: [{ first: 'work', work: 'ok', ok: 'pay', pay: '' }, { ok: approval() }],
      after: [{ first: 'work ok', work: 'pay', ok: 'pay', pay: '' }, { ok: approval() }],
      losses: ['OK no longer waits for WORK'],
    },
    {
      what: 'a sign-off that no step waits for any longer',
      before: [{ a: 'pay', pay: '' }, { a: signedOff }],
      after: [{ x: 'a pay', a: '', pay: '' }, { a: signedOff }],
      losses: ['The sign-off of A is no longer required before PAY'],
    },
    {
      what: 'fewer approvers',
      before: [CHAIN, { ok: approval({ minimumApprovers: 3 }) }],
      after: [CHAIN, { ok: approval() }],
      losses: ['OK needs 1 approver instead of 3'],
    },
    {
      what: 'a named approver replaced by a role',
      before: [CHAIN, { ok: approval({}, { assignee: 'Cfo@example.com' }) }],
      after: [CHAIN, { ok: approval({}, { assignee: 'reviewer' }) }],
      losses: ['OK: a named approver was replaced by a role (cfo@example.com → reviewer)'],
    },
    {
      what: 'a role added to a named approver',
      before: [CHAIN, { ok: approval({}, { assignee: 'cfo@example.com' }) }],
      after: [CHAIN, { ok: approval({ assignedRole: 'editor' }, { assignee: 'cfo@example.com' }) }],
      losses: ['OK: more people may approve now (cfo@example.com → cfo@example.com, editor)'],
    },
    {
      what: 'a role replaced by anyone who can review',
      before: [CHAIN, { ok: approval({}, { assignee: 'reviewer' }) }],
      after: [CHAIN, { ok: approval({}, { assignee: 'Unassigned' }) }],
      losses: ['OK: anyone who can review may decide now (reviewer → anyone who can review)'],
    },
    {
      what: 'separation dropped',
      before: [CHAIN, { ok: approval({ separateFrom: true }) }],
      after: [CHAIN, { ok: approval({ separateFrom: false }) }],
      losses: ['OK can be approved by the person who completed the previous step'],
    },
    {
      what: 'a manual step between the work and its independent approval',
      before: [CHAIN, { ok: approval({ separateFrom: true }) }],
      after: [{ work: 'copy', copy: 'ok', ok: 'pay', pay: '' }, { ok: approval({ separateFrom: true }) }],
      losses: [
        'A step that a person performs or may skip now comes between WORK and its independent approval OK: COPY',
      ],
    },
    {
      what: 'a manual step added before an automated step that was already in between',
      before: [
        { work: 'auto', auto: 'ok', ok: '' },
        { auto: { type: 'automated' }, ok: approval({ separateFrom: true }) },
      ],
      after: [
        { work: 'copy', copy: 'auto', auto: 'ok', ok: '' },
        { auto: { type: 'automated' }, ok: approval({ separateFrom: true }) },
      ],
      losses: [
        'A step that a person performs or may skip now comes between WORK and its independent approval OK: COPY and AUTO',
      ],
    },
    {
      what: 'a sign-off dropped',
      before: [CHAIN, { work: signedOff }],
      after: [CHAIN],
      losses: ["WORK no longer needs a second person's sign-off"],
    },
    {
      what: 'clocks removed and loosened',
      before: [CHAIN, { work: { sla: '1 day' }, ok: { sla: '2h' }, pay: { sla: '1h' } }],
      after: [CHAIN, { work: { sla: '2 days' }, ok: { sla: '' }, pay: { sla: '30m' } }],
      losses: ['OK no longer has an SLA: it was 2h', 'WORK has more time: 1 day → 2 days'],
    },
  ])('include $what: $losses', ({ before, after, losses }) => {
    expect(sentences(before, after)).toEqual(losses);
  });

  it.each<{ what: string; before: [Links, Details?]; after: [Links, Details?] }>([
    {
      what: 'the removal of a manual step',
      before: [CHAIN, { ok: approval() }],
      after: [{ ok: 'pay', pay: '' }, { ok: approval() }],
    },
    {
      what: 'one more approval',
      before: [CHAIN, { ok: approval() }],
      after: [
        { work: 'ok', ok: 'ok2', ok2: 'pay', pay: '' },
        { ok: approval(), ok2: approval() },
      ],
    },
    {
      what: 'a stricter approval with a shorter clock',
      before: [CHAIN, { ok: approval({}, { sla: '1 day' }) }],
      after: [CHAIN, { ok: approval({ minimumApprovers: 2, separateFrom: true }, { sla: '1h', assignee: 'admin' }) }],
    },
    {
      what: 'an automated step between the work and an approval without separation of duties',
      before: [CHAIN, { ok: approval() }],
      after: [
        { work: 'auto', auto: 'ok', ok: 'pay', pay: '' },
        { auto: { type: 'automated' }, ok: approval() },
      ],
    },
    {
      what: 'a different named approver',
      before: [CHAIN, { ok: approval({}, { assignee: 'a@example.com' }) }],
      after: [CHAIN, { ok: approval({}, { assignee: 'b@example.com' }) }],
    },
  ])('don’t include $what', ({ before, after }) => {
    expect(sentences(before, after)).toEqual([]);
  });

  it('are empty for a first version, and if nothing changed', () => {
    const steps = stepsOf(CHAIN, { ok: approval() });
    expect(controlLosses(null, content(steps))).toEqual([]);
    fc.assert(
      fc.property(fc.oneof(anyContent, workflowOf({ maxSteps: 9 }).map(content)), (any) => {
        expect(controlLosses(any, any)).toEqual([]);
      }),
    );
  });

  it('don’t depend on the row order', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 8 }), workflowOf({ maxSteps: 8 }), (before, after) => {
        const kinds = (one: Step[], other: Step[]) =>
          controlLosses(content(one), content(other))
            .map(({ kind, stepId }) => `${kind} ${stepId}`)
            .toSorted();
        expect(kinds(before.toReversed(), after.toReversed())).toEqual(kinds(before, after));
      }),
    );
  });

  it('isolate right-to-left names on screen and leave them unchanged in print', () => {
    const hebrew = { ok: { title: 'אישור', type: 'approval' } } as Details;
    const [loss] = between([CHAIN, hebrew], [{ work: 'pay', pay: '' }]);
    if (!loss) throw new Error('no loss');
    expect(controlLossSentence(loss)).toBe('\u200E\u2068אישור\u2069 is no longer an approval of this workflow');
    expect(printedLossSentence(loss)).toBe('אישור is no longer an approval of this workflow');
  });

  it('name five steps and count the rest', () => {
    const pays = Array.from({ length: 8 }, (_, n) => `pay${n}`);
    const ends = Object.fromEntries(pays.map((id) => [id, '']));
    expect(
      sentences(
        [{ work: 'ok', ok: pays.join(' '), ...ends }, { ok: approval() }],
        [{ work: ['ok', ...pays].join(' '), ok: '', ...ends }, { ok: approval() }],
      ),
    ).toEqual(['OK is no longer required before PAY0, PAY1, PAY2, PAY3, PAY4 and 3 more']);
  });
});
