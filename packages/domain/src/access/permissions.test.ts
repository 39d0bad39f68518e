import { describe, expect, it } from 'vitest';
import { newStep } from '../workflows/editor-rows.ts';
import {
  isAssignedTo,
  mayActOnStep,
  type Permission,
  PERMISSION_NAMES,
  permissionsOf,
  roleHas,
} from './permissions.ts';
import { ORG_ROLES, ROLES, type OrgRole } from './roles.ts';

const Y = true;
const n = false;

// Written out cell by cell on purpose: whoever changes the matrix changes it twice.
const MATRIX: readonly [
  Permission,
  owner: boolean,
  admin: boolean,
  editor: boolean,
  reviewer: boolean,
  viewer: boolean,
][] = [
  ['workflow.read', Y, Y, Y, Y, Y],
  ['draft.edit', Y, Y, Y, n, n],
  ['draft.comment', Y, Y, Y, Y, n],
  ['draft.review', Y, Y, n, Y, n],
  ['draft.merge', Y, Y, n, Y, n],
  ['workflow.archive', Y, Y, n, n, n],
  ['workflow.archive_unmerged', Y, Y, Y, n, n],
  ['run.start', Y, Y, Y, Y, n],
  ['run.control', Y, Y, Y, Y, n],
  ['step.act_any', Y, Y, Y, n, n],
  ['step.act_approval', Y, Y, Y, Y, n],
  ['step.act_assigned', Y, Y, Y, Y, Y],
  ['audit.export', Y, Y, Y, n, n],
  ['org.manage', Y, Y, n, n, n],
];

describe('the permission matrix', () => {
  it('has a row for every permission', () => {
    expect(PERMISSION_NAMES).toEqual(MATRIX.map(([permission]) => permission));
  });

  for (const [permission, ...cells] of MATRIX) {
    it.each(ORG_ROLES.map((role, column) => [role, cells[column]] as const))(
      `gives ${permission} to the %s: %s`,
      (role, has) => {
        expect(roleHas(role, permission)).toBe(has);
        expect(permissionsOf({ orgRole: role, globalRole: null }).includes(permission)).toBe(has);
      },
    );
  }

  it('counts the global role only where there is no organization role', () => {
    for (const globalRole of ROLES) {
      expect(permissionsOf({ orgRole: null, globalRole })).toEqual(
        permissionsOf({ orgRole: globalRole, globalRole: null }),
      );
      for (const orgRole of ORG_ROLES) {
        expect(permissionsOf({ orgRole, globalRole })).toEqual(permissionsOf({ orgRole, globalRole: null }));
      }
    }
    expect(permissionsOf({ orgRole: null, globalRole: null })).toEqual([]);
  });
});

const someone = (orgRole: OrgRole) => ({ id: 'u1', email: 'Sam@Halden.example', orgRole });
const mayAct = (orgRole: OrgRole, step: Parameters<typeof isAssignedTo>[0]) =>
  mayActOnStep({ permissions: permissionsOf({ orgRole, globalRole: null }), user: someone(orgRole), step });

describe('acting on a step', () => {
  it.each<[OrgRole, manual: boolean, approval: boolean]>([
    ['owner', Y, Y],
    ['admin', Y, Y],
    ['editor', Y, Y],
    ['reviewer', n, Y],
    ['viewer', n, n],
  ])(
    "by the matrix alone, a %s may act on someone else's manual step: %s, approval step: %s",
    (role, manual, approval) => {
      expect(mayAct(role, { ...newStep('a', 'manual'), assignee: 'other@halden.example', config: {} })).toBe(manual);
      expect(mayAct(role, { ...newStep('a', 'approval'), assignee: 'other@halden.example', config: {} })).toBe(
        approval,
      );
    },
  );

  it.each(['sam@halden.example', ' SAM@halden.EXAMPLE '])('is for the assignee %j, a viewer too', (assignee) => {
    expect(mayAct('viewer', { ...newStep('a', 'manual'), assignee })).toBe(true);
  });

  it('is for the assignee, however the e-mail of the account is written', () => {
    const step = { ...newStep('a', 'manual'), assignee: 'sam@halden.example' };
    expect(isAssignedTo(step, { id: 'u1', email: ' Sam@Halden.example ', orgRole: null })).toBe(true);
  });

  it('is for the holders of the role that is the assignee', () => {
    expect(mayAct('viewer', { ...newStep('a', 'manual'), assignee: 'Viewer' })).toBe(true);
    expect(mayAct('reviewer', { ...newStep('a', 'manual'), assignee: 'reviewer' })).toBe(true);
    expect(mayAct('viewer', { ...newStep('a', 'manual'), assignee: 'reviewer' })).toBe(false);
  });

  it('is for the holders of the assigned role', () => {
    expect(mayAct('viewer', { type: 'manual', assignee: 'Unassigned', config: { assignedRole: 'viewer' } })).toBe(true);
    expect(mayAct('viewer', { type: 'manual', assignee: 'Unassigned', config: { assignedRole: 'editor' } })).toBe(
      false,
    );
    expect(mayAct('viewer', { type: 'notification', assignee: 'Unassigned', config: {} })).toBe(false);
  });

  it('is for nobody without a permission, the assignee neither', () => {
    const step = { ...newStep('a', 'manual'), assignee: 'sam@halden.example' };
    expect(mayActOnStep({ permissions: [], user: someone('viewer'), step })).toBe(false);
    expect(isAssignedTo(step, someone('viewer'))).toBe(true);
  });

  it('does not match two empty texts', () => {
    const step = { type: 'manual', assignee: '', config: { assignedRole: '' } } as const;
    expect(isAssignedTo(step, { id: 'u1', email: '', orgRole: null })).toBe(false);
  });
});
