import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLOSED, maySend, nextCard } from './card-state.ts';
import type { Card, CardEvent } from './card-state.ts';

const after = (...events: CardEvent[]): Card => events.reduce(nextCard, CLOSED);
const typed = (email: string): CardEvent => ({ type: 'typed', email });

describe('the waitlist card', () => {
  test('opens the form and, once the address is sent, offers the priority list', () => {
    expect(after({ type: 'opened' })).toEqual({ state: 'open', email: '', error: null });
    const sending = after({ type: 'opened' }, typed(' mara@haldenworks.example '), { type: 'sent' });
    expect(sending).toEqual({ state: 'sending', email: 'mara@haldenworks.example' });
    expect(nextCard(sending, { type: 'accepted' })).toEqual({ state: 'submitted', email: 'mara@haldenworks.example' });
  });

  test('sends nothing while the address is empty', () => {
    for (const email of ['', '   ']) {
      const open = after({ type: 'opened' }, typed(email));
      expect(maySend(open)).toBe(false);
      expect(nextCard(open, { type: 'sent' })).toBe(open);
    }
  });

  test('keeps the address after an error, which disappears with the next letter', () => {
    const refused = after({ type: 'opened' }, typed('mara@'), { type: 'sent' }, { type: 'refused', error: 'No' });
    expect(refused).toEqual({ state: 'open', email: 'mara@', error: 'No' });
    expect(nextCard(refused, typed('mara@h'))).toEqual({ state: 'open', email: 'mara@h', error: null });
  });

  test('ignores a response after Cancel', () => {
    const cancelled = after({ type: 'opened' }, typed('a@b.example'), { type: 'sent' }, { type: 'dismissed' });
    expect(nextCard(cancelled, { type: 'accepted' })).toEqual(CLOSED);
    expect(nextCard(cancelled, { type: 'refused', error: 'No' })).toEqual(CLOSED);
  });

  test('resets everything when it is dismissed', () => {
    const event: fc.Arbitrary<CardEvent> = fc.oneof(
      fc.constantFrom<CardEvent>({ type: 'opened' }, { type: 'sent' }, { type: 'accepted' }, { type: 'dismissed' }),
      fc.emailAddress().map(typed),
      fc.string().map((error): CardEvent => ({ type: 'refused', error })),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const reopened = nextCard(nextCard(after(...events), { type: 'dismissed' }), { type: 'opened' });
        expect(reopened).toEqual({ state: 'open', email: '', error: null });
      }),
    );
  });
});
