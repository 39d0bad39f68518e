import { describe, expect, it } from 'vitest';
import type { KnownPerson } from '../../access/known-person.ts';
import { acceptedMembers } from './members.ts';

const person = (id: string): KnownPerson => ({
  id,
  name: id,
  email: `${id}@halden.example`,
  role: 'admin',
  isDisabled: false,
  provedBy: 'mailbox',
  invitedBy: null,
  inviters: [],
  confirmedBy: [],
  confirmedAsManagerBy: [],
  hasProvider: false,
  history: [],
});

/** Ana wrote the draft, which was first saved at time 10. Carla was added to the group. */
const accepted = (
  addedBy: string[],
  {
    addedAt = 5,
    strict = false,
    managers = ['ana', 'mo'],
  }: { addedAt?: number; strict?: boolean; managers?: string[] } = {},
) => {
  const people = [...managers, 'carla'].map(person);
  const found = acceptedMembers([{ id: 'carla', addedAt, addedBy }], {
    standing: { ties: new Map([['ana', 'certain']]), vouchersOfAuthors: new Set(['vera']) },
    relations: { managers: managers.map(person), known: new Map(people.map((each) => [each.id, each])) },
    firstSavedAt: 10,
    strict,
  });
  return found.get('carla')?.isMarked ?? null;
};

describe('the approval of a member', () => {
  it('counts if someone else added them before the draft was first saved', () => {
    expect(accepted(['mo'])).toBe(false);
    expect(accepted(['mo'], { addedAt: 10 })).toBe(false);
    expect(accepted(['mo'], { addedAt: 11 })).toBeNull();
    expect(accepted(['mo'], { strict: true })).toBe(false);
  });

  it('is marked if their addition is attributed to an author, and doesn’t count under strict review', () => {
    expect(accepted(['ana'])).toBe(true);
    expect(accepted(['ana-2', 'ana'])).toBe(true);
    expect(accepted(['ana'], { strict: true })).toBeNull();
  });

  it('is marked if the only manager who vouches for an author added them', () => {
    expect(accepted(['vera'])).toBe(true);
    expect(accepted(['vera'], { strict: true })).toBeNull();
  });

  it('doesn’t count if they added themselves, unless there is no other manager', () => {
    expect(accepted(['carla'])).toBeNull();
    expect(accepted(['carla'], { managers: ['carla'] })).toBe(false);
    expect(accepted(['carla'], { managers: ['carla', 'mo'] })).toBeNull();
  });

  it.each([
    ['counts', 'both accounts are proved', 'mailbox', 'mailbox', true],
    ['counts', 'only the member is proved', 'mailbox', 'founder', true],
    ['counts', 'neither account is proved', 'founder', 'manager', true],
    ['doesn’t count', 'only the manager is proved', 'founder', 'mailbox', false],
  ] as const)('%s if they added themselves, the only other manager has the same mailbox, and %s', (...row) => {
    const [, , own, other, counts] = row;
    const carla = { ...person('carla'), provedBy: own };
    const second = { ...person('carla+second'), provedBy: other };
    const found = acceptedMembers([{ id: carla.id, addedAt: 5, addedBy: [carla.id] }], {
      standing: { ties: new Map(), vouchersOfAuthors: new Set() },
      relations: { managers: [carla, second], known: new Map([carla, second].map((each) => [each.id, each])) },
      firstSavedAt: 10,
      strict: false,
    });
    expect(found.has(carla.id)).toBe(counts);
  });
});
