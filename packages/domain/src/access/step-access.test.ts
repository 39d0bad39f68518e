import { describe, expect, it } from 'vitest';
import { newStep } from '../workflows/editor-rows.ts';
import type { Step } from '../steps/index.ts';
import { permissionsOf } from './permissions.ts';
import type { OrgRole } from './roles.ts';
import { isPerformer, isUnassigned, performersOf } from './performers.ts';
import { howMayAct, type StandIn } from './step-access.ts';

const named = (step: Pick<Step, 'type' | 'assignee' | 'config'>) => ({
  type: step.type,
  performers: performersOf(step, null),
});
const isAssignedTo = (step: Step, user: Parameters<typeof isPerformer>[1]) =>
  isPerformer(performersOf(step, null), user);

const someone = (orgRole: OrgRole) => ({ id: 'u1', email: 'Sam@Halden.example', orgRole });
type Circumstances = { editorsMayHelp?: boolean; standIn?: StandIn | null; isOrganizationToken?: boolean };
const how = (orgRole: OrgRole, step: Pick<Step, 'type' | 'assignee' | 'config'>, circumstances: Circumstances = {}) =>
  howMayAct({
    permissions: permissionsOf({ orgRole, globalRole: null }),
    user: someone(orgRole),
    ...named(step),
    editorsMayHelp: true,
    standIn: null,
    isOrganizationToken: false,
    ...circumstances,
  });
const manual = (assignee: string, config = {}) => ({ ...newStep('a', 'manual'), assignee, config });
const approval = (assignee: string, config = {}) => ({ ...newStep('a', 'approval'), assignee, config });

describe('an approval step', () => {
  it.each<[OrgRole, nobodys: string | null, anothers: string | null, tooFew: string | null]>([
    ['owner', 'named', null, 'too_few'],
    ['admin', 'named', null, 'too_few'],
    ['editor', null, null, null],
    ['reviewer', 'named', null, null],
    ['viewer', null, null, null],
  ])(
    'lets the role %s decide: %s if it names nobody, %s if it names someone else, %s if there are too few approvers',
    (role, ...may) => {
      const another = approval('other@halden.example');
      expect([
        how(role, approval('Unassigned')),
        how(role, another),
        how(role, another, { standIn: 'too_few' }),
      ]).toEqual(may);
    },
  );

  it('names people by address, by role, or by the role in its settings', () => {
    for (const step of [
      approval(' SAM@halden.EXAMPLE '),
      approval('Viewer'),
      approval('other@halden.example', { assignedRole: 'viewer' }),
    ])
      expect(how('viewer', step)).toBe('named');
    expect(how('owner', approval('reviewer'))).toBeNull();
    expect(how('owner', approval('reviewer'), { standIn: 'overdue' })).toBe('overdue');
  });

  it('lets someone who gave themselves the role decide only as a stand-in', () => {
    const user = { ...someone('reviewer'), roleByOwnHand: true };
    const may = (step: Step, standIn: StandIn | null = null) =>
      howMayAct({
        permissions: permissionsOf({ orgRole: 'reviewer', globalRole: null }),
        user,
        ...named(step),
        editorsMayHelp: true,
        standIn,
        isOrganizationToken: false,
      });
    expect([may(approval('reviewer')), may(approval('reviewer'), 'too_few')]).toEqual([null, 'too_few']);
    for (const step of [approval(user.email), approval(user.email, { assignedRole: 'reviewer' }), approval('')])
      expect(may(step)).toBe('named');
    expect(may(manual('reviewer'))).toBe('named');
  });

  it('can’t be decided by an organization’s token, regardless of its role', () => {
    for (const step of [approval('Unassigned'), approval('reviewer'), approval('viewer')])
      for (const role of ['admin', 'reviewer', 'viewer'] as const)
        expect(how(role, step, { isOrganizationToken: true, standIn: 'overdue' })).toBeNull();
    expect(how('editor', manual('editor'), { isOrganizationToken: true })).toBe('named');
    expect(how('editor', manual('viewer'), { isOrganizationToken: true })).toBe('helper');
  });
});

describe('a manual step', () => {
  it.each<[OrgRole, nobodys: string | null, anothers: string | null, withoutHelp: string | null]>([
    ['owner', 'named', 'helper', 'helper'],
    ['admin', 'named', 'helper', 'helper'],
    ['editor', 'named', 'helper', null],
    ['reviewer', null, null, null],
    ['viewer', null, null, null],
  ])(
    'lets the role %s act: %s if it names nobody, %s if it names someone else, %s if editors may not help',
    (role, ...may) => {
      const another = manual('other@halden.example');
      expect([how(role, manual('auto')), how(role, another), how(role, another, { editorsMayHelp: false })]).toEqual(
        may,
      );
      expect(how(role, manual('auto'), { editorsMayHelp: false })).toBe(may[0]);
    },
  );

  it.each(['sam@halden.example', ' SAM@halden.EXAMPLE '])('is open to the assignee %j, even a viewer', (assignee) => {
    expect(how('viewer', manual(assignee), { editorsMayHelp: false })).toBe('named');
  });

  it('is open to the assignee even if the step spells their address differently', () => {
    const user = { id: 'u1', email: 'sam@xn--bcher-kva.example', orgRole: 'viewer' as const };
    expect(isAssignedTo(manual('Sam@Bücher.example'), user)).toBe(true);
    expect(isAssignedTo(manual('tom@bücher.example'), user)).toBe(false);
    // Earlier versions stored addresses as they were typed.
    expect(isAssignedTo(manual('Sam@Bücher.example'), { ...user, email: 'sam@bücher.example' })).toBe(true);
  });

  it('is open to members with the role that it names', () => {
    expect(how('viewer', manual('Viewer'))).toBe('named');
    expect(how('reviewer', manual('reviewer'))).toBe('named');
    expect(how('viewer', manual('reviewer'))).toBeNull();
    expect(how('viewer', manual('Unassigned', { assignedRole: 'viewer' }))).toBe('named');
    expect(how('viewer', manual('Unassigned', { assignedRole: 'editor' }))).toBeNull();
  });

  it('is closed to anyone without a permission, even the assignee', () => {
    const step = manual('sam@halden.example');
    const nothing = { permissions: [], user: someone('viewer'), editorsMayHelp: true, standIn: null };
    expect(howMayAct({ ...nothing, ...named(step), isOrganizationToken: false })).toBeNull();
    expect(isAssignedTo(step, someone('viewer'))).toBe(true);
  });
});

it('a step names nobody if its assignee and its role are empty or don’t refer to a person', () => {
  const step = manual('', { assignedRole: '' });
  expect(isAssignedTo(step, { id: 'u1', email: '', orgRole: null })).toBe(false);
  for (const assignee of ['', 'system', 'auto', 'Unassigned', 'the boss'])
    expect(isUnassigned(performersOf(manual(assignee), null))).toBe(true);
  for (const assignee of ['editor', 'a@b.example', 'group:finance', 'starter', 'system, viewer'])
    expect(isUnassigned(performersOf(manual(assignee), null))).toBe(false);
});
