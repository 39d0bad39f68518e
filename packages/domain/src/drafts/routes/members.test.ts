import { describe, expect, it } from 'vitest';
import type { KnownPerson } from '../../access/known-person.ts';
import { relationsAmong } from '../relations.ts';
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
    relations: { ...relationsAmong(people, 20), managers: managers.map(person) },
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

  describe('added by an account for which only they vouch', () => {
    const rick = {
      ...person('rick'),
      provedBy: 'manager',
      confirmedBy: ['carla'],
      confirmedAsManagerBy: ['carla'],
    } as const;
    const rob = {
      ...rick,
      ...person('rob'),
      provedBy: 'manager',
      confirmedBy: ['rick'],
      confirmedAsManagerBy: ['rick'],
    } as const;
    const acceptedFrom = (adder: string | string[], ...people: KnownPerson[]) =>
      acceptedMembers([{ id: 'carla', addedAt: 5, addedBy: [adder].flat() }], {
        standing: { ties: new Map(), vouchersOfAuthors: new Set() },
        relations: relationsAmong([person('carla'), ...people], 20),
        firstSavedAt: 10,
        strict: false,
      }).has('carla');

    it('doesn’t count if there is a manager who isn’t such an account', () => {
      expect(acceptedFrom('rick', rick, person('mo'))).toBe(false);
      expect(acceptedFrom('rob', rick, rob, person('mo'))).toBe(false);
      expect(acceptedFrom('rick', rick)).toBe(true);
      expect(acceptedFrom('rick', rick, rob)).toBe(true);
    });

    it('counts if another manager added them, of whose mailbox there is such an account', () => {
      expect(acceptedFrom(['mo', 'rick'], rick, person('mo'))).toBe(true);
      expect(acceptedFrom(['rick', 'mo'], rick, person('mo'))).toBe(false);
    });

    it('counts if others vouch for the account too, or it has proved its address', () => {
      expect(acceptedFrom('rick', { ...rick, confirmedAsManagerBy: ['carla', 'mo'] }, person('mo'))).toBe(true);
      expect(acceptedFrom('rick', person('rick'), person('mo'))).toBe(true);
    });
  });
});
