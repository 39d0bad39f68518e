import type { Member } from '@stet/contract';
import { expect, test } from 'vitest';
import { memberAbilities } from './member-abilities.ts';

const person = (id: string, role: Member['role']): Member => ({
  id,
  role,
  name: id,
  email: `${id}@a.example`,
  provedBy: 'mailbox',
  addedBy: null,
  confirmedBy: null,
});
const mara = person('mara', 'owner');
const sam = person('sam', 'admin');
const lore = person('lore', 'viewer');

test('explains to the last owner why they can’t leave, and offers them no other role', () => {
  const { roles, removal } = memberAbilities(mara, mara, [mara, sam]);
  expect(roles).toEqual(['owner']);
  expect(removal).toEqual({ may: false, reason: 'You are the only owner. Make someone else an owner first.' });
  expect(memberAbilities(mara, mara, [mara, person('other', 'owner')]).removal.may).toBe(true);
});

test('an admin can assign every role except owner, and can’t change owners', () => {
  expect(memberAbilities(sam, lore, [mara, sam, lore]).roles).toEqual(['admin', 'editor', 'reviewer', 'viewer']);
  expect(memberAbilities(sam, mara, [mara, sam, lore])).toEqual({
    roles: ['owner'],
    removal: { may: false, reason: 'Only an owner can change or remove an owner.' },
  });
});

test('a viewer can leave, but can’t change or remove anyone', () => {
  expect(memberAbilities(lore, sam, [mara, sam, lore])).toMatchObject({ roles: ['admin'], removal: { may: false } });
  expect(memberAbilities(lore, lore, [mara, sam, lore]).removal.may).toBe(true);
});
