import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../sla/duration.ts';
import { contentAndEdit } from '../workflows/content.arbitrary.ts';
import { linearNext } from '../workflows/relink.ts';
import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { impactOf } from './impact.ts';
import { stepOf } from '../workflows/workflow.arbitrary.ts';

const content = (...steps: (Partial<Step> & { id: string })[]): WorkflowContent => ({
  metadata: { title: 'Hiring', description: '' },
  steps: linearNext(steps.map(stepOf)),
});
const between = (before: (Partial<Step> & { id: string })[], after: (Partial<Step> & { id: string })[]) =>
  impactOf(content(...before), content(...after));

describe('the impact of a draft', () => {
  it('counts the changed steps and all steps', () => {
    const { workflows, steps } = between(
      [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      [{ id: 'a', title: 'Renamed' }, { id: 'c' }, { id: 'd' }, { id: 'e' }],
    );
    expect({ workflows, steps }).toEqual({
      workflows: 1,
      steps: { added: 2, removed: 1, modified: 1, before: 3, after: 4 },
    });
  });

  it('covers all steps of a first version, without previous values or losses', () => {
    const impact = impactOf(null, content({ id: 'a', sla: '1 day', type: 'approval', assignee: 'reviewer' }));
    expect(impact).toEqual({
      workflows: 1,
      steps: { added: 1, removed: 0, modified: 0, before: 0, after: 1 },
      integrations: [],
      sla: { beforeMs: null, afterMs: DAY_MS, loosened: [] },
      rolesRemoved: [],
      approvalsRemoved: [],
      controlLosses: [],
    });
  });

  it('counts the workflow as changed if only its description changed', () => {
    const before = content({ id: 'a' });
    expect(impactOf(before, { ...before, metadata: { title: 'Hiring', description: 'New' } })).toMatchObject({
      workflows: 1,
      steps: { added: 0, removed: 0, modified: 0 },
    });
    expect(impactOf(before, before).workflows).toBe(0);
  });

  const notify = (channels: ('email' | 'slack' | 'in-app')[], template = 'Done'): Partial<Step> & { id: string } => ({
    id: 'tell',
    type: 'notification',
    config: { channels, template },
  });
  const script = (text: string): Partial<Step> & { id: string } => ({
    id: 'auto',
    type: 'automated',
    config: { script: text },
  });

  it.each([
    ['a new channel', ['email changed', 'slack added'], [notify(['email'])], [notify(['email', 'slack'])]],
    ['a removed channel', ['email removed', 'slack changed'], [notify(['email', 'slack'])], [notify(['slack'])]],
    ['a different text for the channel', ['slack changed'], [notify(['slack'])], [notify(['slack'], 'Other')]],
    ['a new title, which no integration uses', [], [notify(['slack'])], [{ ...notify(['slack']), title: 'Tell them' }]],
    ['the removal of a step with a script', ['script removed'], [script('return 1'), { id: 'z' }], [{ id: 'z' }]],
    ['a script that changes', ['script changed'], [script('return 1')], [script('return 2')]],
    ['a script that stays blank', [], [script(' ')], [script('')]],
    ['a new script', ['script added'], [script('')], [script('return 2')]],
    [
      'a different text, if other steps send nothing',
      ['email changed'],
      [notify(['email']), { id: 'z' }],
      [notify(['email'], 'Other'), { id: 'z' }],
    ],
    [
      'the removal of one of two steps that use it',
      ['email changed'],
      [notify(['email']), { ...notify(['email']), id: 'b' }],
      [notify(['email'])],
    ],
  ])('lists the integrations affected by %s: %j', (_, expected, before, after) => {
    const { integrations } = between(before, after);
    expect(integrations.map(({ integration, change }) => `${integration} ${change}`)).toEqual(expected);
  });

  it.each([
    ['longer', '4h', '1 day', true],
    ['shorter', '1 day', '4h', false],
    ['the same duration, written differently', '24h', '1 day', false],
    ['gone', '4h', '', true],
    ['invalid, so without an SLA', '4h', 'whenever', true],
    ['new', '', '4h', false],
    ['still none', '', 'whenever', false],
  ])('reports an SLA that is now %s (%j → %j) as loosened: %s', (_, was, is, loosened) => {
    const { sla } = between([{ id: 'a', sla: was }], [{ id: 'a', sla: is }]);
    expect(sla.loosened.map(({ stepId }) => stepId)).toEqual(loosened ? ['a'] : []);
  });

  it('adds up the SLAs along the longest path, before and after', () => {
    const fork = (right: string): WorkflowContent => ({
      metadata: { title: 'Fork', description: '' },
      steps: [
        stepOf({ id: 'a', sla: '1h', next: ['b', 'c'] }),
        stepOf({ id: 'b', sla: '2h' }),
        stepOf({ id: 'c', sla: right }),
      ],
    });
    expect(impactOf(fork('1h'), fork('5h')).sla).toEqual({
      beforeMs: 3 * HOUR_MS,
      afterMs: 6 * HOUR_MS,
      loosened: [
        { stepId: 'c', title: 'C', before: { text: '1h', ms: HOUR_MS }, after: { text: '5h', ms: 5 * HOUR_MS } },
      ],
    });
  });

  it('lists roles that no longer appear anywhere', () => {
    const before = [
      { id: 'a', assignee: ' Reviewer ' },
      { id: 'b', config: { assignedRole: 'admin' } },
      { id: 'c', config: { assignedRole: 'finance' } },
      { id: 'd', assignee: 'reviewer' },
      { id: 'e', assignee: 'someone@example.com' },
    ];
    const after = [{ id: 'a', assignee: 'editor' }, { id: 'b', assignee: 'ADMIN' }, { id: 'e' }];
    expect(between(before, after).rolesRemoved).toEqual([
      { role: 'finance', stepIds: ['c'] },
      { role: 'reviewer', stepIds: ['a', 'd'] },
    ]);
    const many = ['zoo', 'bar', 'mid'].map((assignedRole) => ({ id: assignedRole, config: { assignedRole } }));
    expect(between(many, [{ id: 'z' }]).rolesRemoved.map(({ role }) => role)).toEqual(['bar', 'mid', 'zoo']);
  });

  it('ignores white space around roles and steps that name no role', () => {
    const roles = (before: (Partial<Step> & { id: string })[], after: (Partial<Step> & { id: string })[]) =>
      between(before, after).rolesRemoved.map(({ role }) => role);
    const named = (assignedRole: string) => [{ id: 'a', config: { assignedRole } }];
    expect(roles(named(' Finance '), named('finance'))).toEqual([]);
    expect(roles(named(' Finance '), named('admin'))).toEqual(['finance']);
    const none = [{ id: 'a' }, { id: 'b', type: 'automated' as const, config: {} }];
    expect(roles(none, [{ id: 'a', assignee: 'editor', config: { assignedRole: 'admin' } }])).toEqual([]);
  });

  const vote = (config: object = {}): Partial<Step> & { id: string } => ({ id: 'a', type: 'approval', config });
  const manual = (requiresApproval?: boolean): Partial<Step> & { id: string } =>
    ({ id: 'a', type: 'manual', config: { requiresApproval } }) as Partial<Step> & { id: string };

  it.each([
    ['gone', [{ kind: 'approval_removed', approvers: 1 }], vote(), { id: 'b' }],
    ['no longer an approval', [{ kind: 'approval_removed', approvers: 2 }], vote({ minimumApprovers: 2 }), manual()],
    [
      'an approval that needs fewer approvers',
      [{ kind: 'fewer_approvers', before: 3, after: 1 }],
      vote({ minimumApprovers: 3 }),
      vote(),
    ],
    ['an approval that needs more approvers', [], vote(), vote({ minimumApprovers: 2 })],
    [
      'now open to the person who completed the previous step',
      [{ kind: 'separation_dropped' }],
      vote({ separateFrom: true }),
      vote(),
    ],
    ['now closed to the person who completed the previous step', [], vote(), vote({ separateFrom: true })],
    ['a sign-off that is dropped', [{ kind: 'sign_off_dropped' }], manual(true), manual(false)],
    ['a sign-off removed with its step', [{ kind: 'sign_off_dropped' }], manual(true), { id: 'b' }],
    ['a sign-off that becomes an approval', [], manual(true), vote()],
    ['a new sign-off', [], manual(), manual(true)],
  ])('lists the lost agreement if a step is %s: %j', (_, expected, before, after) => {
    expect(between([before, { id: 'z' }], [after, { id: 'z' }]).approvalsRemoved).toMatchObject(expected);
    expect(between([before, { id: 'z' }], [after, { id: 'z' }]).approvalsRemoved).toHaveLength(expected.length);
  });

  it('names a lost agreement by its step’s current title, or the last one if the step is gone', () => {
    const lost = { ...vote(), title: 'Sign' };
    expect(between([lost, { id: 'z' }], [{ id: 'z' }]).approvalsRemoved).toEqual([
      { stepId: 'a', title: 'Sign', kind: 'approval_removed', approvers: 1 },
    ]);
    expect(between([lost], [{ ...manual(), title: 'Note' }]).approvalsRemoved).toEqual([
      { stepId: 'a', title: 'Note', kind: 'approval_removed', approvers: 1 },
    ]);
  });

  it('is empty without changes, has no losses in a first version, and mirrors swapped contents', () => {
    fc.assert(
      fc.property(contentAndEdit, ([before, after]) => {
        const none = impactOf(after, after);
        expect(none).toMatchObject({ workflows: 0, integrations: [], rolesRemoved: [], approvalsRemoved: [] });
        expect(none.sla.loosened).toEqual([]);
        const fromNothing = impactOf(null, after);
        expect(fromNothing).toMatchObject({ rolesRemoved: [], approvalsRemoved: [] });
        const [there, back] = [impactOf(before, after), impactOf(after, before)];
        expect([there.steps.added, there.steps.removed]).toEqual([back.steps.removed, back.steps.added]);
        expect([there.sla.beforeMs, there.sla.afterMs]).toEqual([back.sla.afterMs, back.sla.beforeMs]);
      }),
    );
  });
});
