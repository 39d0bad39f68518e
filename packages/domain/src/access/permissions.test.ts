import { describe, expect, it } from 'vitest';
import { type Permission, PERMISSION_NAMES, permissionsOf, roleHas } from './permissions.ts';
import { ORG_ROLES, ROLES } from './roles.ts';

const Y = true;
const n = false;

// Written out cell by cell on purpose: a change to the matrix must be made here too.
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
  ['run.note', Y, Y, Y, Y, Y],
  ['step.act_any', Y, Y, Y, n, n],
  ['step.act_approval', Y, Y, n, Y, n],
  ['step.stand_in', Y, Y, n, n, n],
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

  it('applies the global role only if there is no organization role', () => {
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
