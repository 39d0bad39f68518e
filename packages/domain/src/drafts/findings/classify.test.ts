import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent } from '../../workflows/content.arbitrary.ts';
import type { InputField, Step } from '../../steps/index.ts';
import type { WorkflowContent } from '../../workflows/content.ts';
import { stepsOf, workflowOf } from '../../workflows/workflow.arbitrary.ts';
import { classify } from './classify.ts';
import { controlLosses, inSentences } from './control-losses.ts';
import { findingSentence, printedFindingSentence } from './finding-words.ts';

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
  controlLosses([content(stepsOf(...before))], content(stepsOf(...after)));
const sentences = (...sides: Parameters<typeof between>) => between(...sides).map(findingSentence);

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
    expect(controlLosses([null], content(steps))).toEqual([]);
    fc.assert(
      fc.property(fc.oneof(anyContent, workflowOf({ maxSteps: 9 }).map(content)), (any) => {
        expect(controlLosses([any], any)).toEqual([]);
      }),
    );
  });

  it('don’t depend on the row order', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 8 }), workflowOf({ maxSteps: 8 }), (before, after) => {
        const kinds = (one: Step[], other: Step[]) =>
          inSentences(controlLosses([content(one)], content(other)))
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
    expect(findingSentence(loss)).toBe('\u200E\u2068אישור\u2069 is no longer an approval of this workflow');
    expect(printedFindingSentence(loss)).toBe('אישור is no longer an approval of this workflow');
  });

  it('name five steps and count the others', () => {
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

const NO_CONTEXT = { restoredVersion: null };
const findingsOf = (before: [Links, Details?], after: [Links, Details?]) =>
  classify([], content(stepsOf(...before)), content(stepsOf(...after)), NO_CONTEXT);
const field = (over: Partial<InputField> = {}): InputField => ({
  id: 'amount',
  label: 'Amount',
  kind: 'number',
  required: true,
  ...over,
});
const maybe = (id: string, requiredIf?: string): InputField => ({
  ...field({ id, label: id.toUpperCase(), required: false }),
  ...(requiredIf && { requiredIf }),
});
const form = (...fields: InputField[]): Partial<Step> => ({ type: 'manual', config: { fields } });
const message = (recipients: string[], more: object = {}): Partial<Step> => ({
  type: 'notification',
  config: { recipients, channels: ['email'], ...more },
});
const script = (text: string): Partial<Step> => ({ type: 'automated', config: { script: text } });

describe('findings', () => {
  it.each<{ what: string; before: [Links, Details?]; after: [Links, Details?]; found: string[] }>([
    {
      what: 'a rejection that no longer ends the run',
      before: [CHAIN, { ok: approval() }],
      after: [CHAIN, { ok: approval({ onReject: 'work' }) }],
      found: ['loss rejection_softened ok: A rejection of OK returns to WORK instead of ending the run'],
    },
    {
      what: 'a rejection that returns to a later step',
      before: [{ first: 'work', ...CHAIN }, { ok: approval({ onReject: 'first' }) }],
      after: [{ first: 'work', ...CHAIN }, { ok: approval({ onReject: 'work' }) }],
      found: [
        'loss rejection_softened ok: A rejection of OK returns to WORK instead of FIRST, so fewer steps are repeated',
      ],
    },
    {
      what: 'a step that can be skipped now, an approval that became another type, and a removed step',
      before: [CHAIN, { work: { config: { skip: 'never' } }, ok: approval({ skip: 'never' }), pay: script('1') }],
      after: [{ work: 'ok', ok: '' }, { ok: { type: 'notification', config: { skip: 'never' } } }],
      found: [
        'loss approval_removed ok: OK is no longer an approval of this workflow',
        'loss skip_allowed work: WORK can be skipped',
        'unknown type_changed ok: OK changed its type: Approval → Notification',
        'unknown step_removed pay: PAY was removed',
      ],
    },
    {
      what: 'fields that ask for less',
      before: [CHAIN, { work: form(field(), field({ id: 'pass', label: 'Passport', kind: 'file_link' })) }],
      after: [CHAIN, { work: form(field({ required: false })) }],
      found: [
        'loss evidence_dropped work: WORK asks for less evidence: Passport was removed',
        'loss field_loosened work: WORK asks for less: Amount is optional',
      ],
    },
    {
      what: 'numbers with wider limits, or with limits in another unit',
      before: [CHAIN, { work: form(field({ min: 1, max: 5 }), field({ id: 'b', label: 'B', max: 5, unit: 'EUR' })) }],
      after: [CHAIN, { work: form(field({ min: 0, max: 5 }), field({ id: 'b', label: 'B', max: 5, unit: 'USD' })) }],
      found: ['loss field_loosened work: WORK asks for less: Amount accepts more answers and B accepts more answers'],
    },
    {
      what: 'nothing if limits become narrower',
      before: [CHAIN, { work: form(field({ min: 1 }), field({ id: 'b' })) }],
      after: [CHAIN, { work: form(field({ min: 2, max: 5 }), field({ id: 'b' })) }],
      found: [],
    },
    {
      what: 'fields that are required only under a condition, or under another one',
      before: [CHAIN, { work: form(field(), maybe('b', 'a > 1'), maybe('c', 'a > 1'), maybe('d', 'a > 1')) }],
      after: [CHAIN, { work: form(field({ required: false, requiredIf: 'b = 1' }), maybe('b', 'a > 2'), maybe('c')) }],
      found: [
        'loss field_loosened work: WORK asks for less: Amount is required only under a condition, B is required under a different condition, C is optional and D was removed',
      ],
    },
    {
      what: 'nothing if a field becomes required under a condition, or always',
      before: [CHAIN, { work: form(maybe('b'), maybe('c', 'a > 1')) }],
      after: [CHAIN, { work: form(maybe('b', 'a > 1'), field({ id: 'c', label: 'C' })) }],
      found: [],
    },
    {
      what: 'only a change of wording if a field gets a help text',
      before: [CHAIN, { work: form(field({ min: 1 })) }],
      after: [CHAIN, { work: form(field({ min: 1, help: 'Without tax' })) }],
      found: ['neutral text_only null: Only the wording changed'],
    },
    {
      what: 'a choice with another option, and a number that may be any text',
      before: [CHAIN, { work: form(field(), field({ id: 'to', label: 'To', kind: 'choice', options: ['a'] })) }],
      after: [
        CHAIN,
        { work: form(field({ kind: 'text' }), field({ id: 'to', label: 'To', kind: 'choice', options: ['a', 'b'] })) },
      ],
      found: ['loss field_loosened work: WORK asks for less: Amount accepts more answers and To accepts more answers'],
    },
    {
      what: 'recipients and channels that are gone',
      before: [CHAIN, { pay: message(['a@example.com', 'b@example.com'], { channels: ['email', 'slack'] }) }],
      after: [CHAIN, { pay: message(['A@example.com'], { channels: ['slack'] }) }],
      found: [
        'loss recipient_lost pay: PAY is no longer sent to b@example.com',
        'loss recipient_lost pay: PAY is no longer sent by email',
      ],
    },
    {
      what: 'scripts that are new, different or gone',
      before: [CHAIN, { work: script('return 1'), ok: script('return 1') }],
      after: [
        { work: 'ok', ok: 'pay', pay: 'new', new: '' },
        { work: script('return 2'), ok: script(''), new: script('return 3') },
      ],
      found: [
        'unknown script_changed work: WORK runs a different script',
        'unknown script_changed ok: OK no longer runs its script',
        'unknown script_changed new: NEW runs a new script',
      ],
    },
    {
      what: 'a new condition and a different one',
      before: [{ if: 'pay', pay: '' }, { if: { type: 'condition', config: { condition: 'a > 1', trueNext: 'pay' } } }],
      after: [
        { if: 'new', new: 'pay', pay: '' },
        {
          if: { type: 'condition', config: { condition: 'a > 2', trueNext: 'new' } },
          new: { type: 'condition', config: { condition: 'true' } },
        },
      ],
      found: [
        'unknown condition_changed if: IF is decided by a different condition',
        'unknown condition_changed new: NEW is a new condition, so runs may skip what follows it',
      ],
    },
    {
      what: 'swapped branches',
      before: [{ if: 'yes no', yes: '', no: '' }, { if: condition('yes', 'no') }],
      after: [{ if: 'yes no', yes: '', no: '' }, { if: condition('no', 'yes') }],
      found: ['unknown condition_changed if: Answers of IF that led to YES and NO no longer do'],
    },
    {
      what: 'work that now depends on an answer',
      before: [{ work: 'pay', pay: 'if', if: 'a b', a: '', b: '' }, { if: condition('a', 'b') }],
      after: [{ pay: 'if', if: 'work b', work: 'a', a: '', b: '' }, { if: condition('work', 'b') }],
      found: [
        'unknown condition_changed if: After IF, runs may skip WORK now',
        'unknown reordered pay: PAY, IF and B no longer wait for WORK',
      ],
    },
    {
      what: 'a removed step once, without its fields and its SLA',
      before: [CHAIN, { pay: { ...form(field()), sla: '1h' } }],
      after: [{ work: 'ok', ok: '' }],
      found: ['unknown step_removed pay: PAY was removed'],
    },
    {
      what: 'another type',
      before: [CHAIN, { pay: form(field()) }],
      after: [CHAIN, { pay: script('') }],
      found: [
        'loss field_loosened pay: PAY asks for less: Amount was removed',
        'unknown type_changed pay: PAY changed its type: Manual → Automated',
      ],
    },
    {
      what: 'other people, and fewer',
      before: [CHAIN, { ok: approval({}, { assignee: 'a@example.com' }), pay: { assignee: 'Unassigned' } }],
      after: [CHAIN, { ok: approval({}, { assignee: 'b@example.com' }), pay: { assignee: 'admin' } }],
      found: [
        'unknown people_changed ok: The people responsible for OK changed: a@example.com → b@example.com',
        'gain people_changed pay: The people responsible for PAY changed: anyone → admin',
      ],
    },
    ...[
      ['a@example.com', 'group:finance', 'loss', 'a named approver was replaced by a group'],
      ['group:finance', 'reviewer', 'loss', 'more people may approve now'],
      ['reviewer', 'starter', 'loss', 'more people may approve now'],
      ['a@example.com', 'starter', 'loss', 'a named approver was replaced by whoever starts the run'],
      ['group:finance', 'group:finance, a@example.com', 'loss', 'more people may approve now'],
    ].map(([before = '', after = '', effect, words]) => ({
      what: `${before} replaced by ${after}`,
      before: [CHAIN, { ok: approval({}, { assignee: before }) }] as [typeof CHAIN, Details],
      after: [CHAIN, { ok: approval({}, { assignee: after }) }] as [typeof CHAIN, Details],
      found: [`${effect} approver_widened ok: OK: ${words} (${before} → ${after.split(', ').toSorted().join(', ')})`],
    })),
    {
      what: 'another group, and fewer names',
      before: [CHAIN, { ok: approval({}, { assignee: 'group:finance' }), pay: { assignee: 'group:legal, viewer' } }],
      after: [CHAIN, { ok: approval({}, { assignee: 'group:legal' }), pay: { assignee: 'group:legal' } }],
      found: [
        'unknown people_changed ok: The people responsible for OK changed: group:finance → group:legal',
        'gain people_changed pay: The people responsible for PAY changed: viewer, group:legal → group:legal',
      ],
    },
    {
      what: 'a wider sign-off',
      before: [CHAIN, { work: { ...signedOff, assignee: 'a@example.com' } }],
      after: [CHAIN, { work: { ...signedOff, assignee: '' } }],
      found: [
        'loss approver_widened work: WORK: anyone who can act on it may sign it off now (a@example.com → anyone who can act on it)',
      ],
    },
    {
      what: 'steps that swap places',
      before: [CHAIN],
      after: [{ ok: 'work', work: 'pay', pay: '' }],
      found: ['unknown reordered ok: OK no longer waits for WORK'],
    },
    {
      what: 'rows that swap places',
      before: [{ a: 'c', b: 'c', c: '' }],
      after: [{ b: 'c', a: 'c', c: '' }],
      found: ['neutral reordered null: Steps have a different position in the list'],
    },
    {
      what: 'texts',
      before: [CHAIN, { pay: form(field()), ok: message(['a@example.com']) }],
      after: [
        CHAIN,
        {
          work: { title: 'Do it', description: 'Well' },
          pay: form(field({ label: 'Sum' })),
          ok: message(['a@example.com'], { template: 'Hello' }),
        },
      ],
      found: ['neutral text_only null: Only the wording changed'],
    },
    {
      what: 'nothing if a step is added that takes nothing away',
      before: [CHAIN],
      after: [{ ...CHAIN, pay: 'more', more: '' }],
      found: [],
    },
  ])('name $what', ({ before, after, found }) => {
    const words = findingsOf(before, after).map((finding) => {
      const { effect, code, stepId } = finding;
      return `${effect} ${code} ${stepId}: ${findingSentence(finding)}`;
    });
    expect(words).toEqual(found);
  });

  it('of a removed step list the controls that it had, so a new id doesn’t hide them', () => {
    const details = { ok: approval({ separateFrom: true }, { sla: '1h' }), pay: { ...form(field()), sla: '1h' } };
    expect(findingsOf([CHAIN, details], [{ work: '' }])).toMatchObject([
      { code: 'approval_removed', covers: ['separation_dropped', 'clock_removed'] },
      { code: 'step_removed', covers: ['field_loosened', 'clock_removed'] },
    ]);
  });

  it('say that a workflow is new, or that its content was live before', () => {
    const steps = content(stepsOf(CHAIN));
    expect(classify([], null, steps, NO_CONTEXT)).toMatchObject([{ code: 'new_workflow', stepId: null }]);
    expect(classify([], steps, steps, { restoredVersion: 3 })).toMatchObject([{ code: 'restored_version', after: 3 }]);
  });

  it('compare with the baseline’s value if the live version’s is weaker', () => {
    const votes = (count: number) => content(stepsOf(CHAIN, { ok: approval({ minimumApprovers: count }) }));
    const found = (baseline: number, live: number, draft: number) =>
      classify([votes(baseline)], votes(live), votes(draft), NO_CONTEXT).flatMap((finding) =>
        finding.code === 'fewer_approvers' ? [`${finding.before} to ${finding.after}`] : [],
      );
    expect(found(3, 2, 1)).toEqual(['3 to 1']);
    expect(found(3, 2, 2)).toEqual(['3 to 2']);
    expect(found(1, 3, 2)).toEqual(['3 to 2']);
    expect(found(2, 2, 2)).toEqual([]);
  });
});
