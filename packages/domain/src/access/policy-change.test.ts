import { describe, expect, it } from 'vitest';
import { POLICY_COOLING, decidePolicyChange, decidePolicyConfirmation, decidePolicyRefusal } from './policy-change.ts';

const pending = { requiredApprovals: 1, proposedBy: 'ada' };

describe('a wish for another number of approvals', () => {
  it.each([
    ['a raise holds at once', ['ada', 'bo'], 1, 3, { change: 'applied', alone: false }],
    ['what is asked already changes nothing', ['ada', 'bo'], 2, 2, { change: 'none' }],
    ['a lowering waits for the second one', ['ada', 'bo'], 2, 1, { change: 'proposed' }],
    ['a lowering to nothing waits, too', ['bo', 'ada'], 1, 0, { change: 'proposed' }],
    ['the only one lowers alone', ['ada'], 2, 0, { change: 'applied', alone: true }],
  ])('%s', (_, managers, now, wanted, decision) => {
    expect(decidePolicyChange({ actorId: 'ada', managers, now, wanted, pending: null, former: [], at: 0 })).toEqual({
      ok: true,
      ...decision,
    });
  });

  it('cools for seven days', () => {
    expect(POLICY_COOLING).toBe(604_800_000);
  });

  it('is no one person’s while someone else was an owner or admin within a week', () => {
    const at = 100 * POLICY_COOLING;
    const lower = (former: { id: string; name: string; at: number }[], managers = ['ada']) =>
      decidePolicyChange({ actorId: 'ada', managers, now: 2, wanted: 1, pending: null, former, at });
    const bo = { id: 'bo', name: 'Bo', at: at - POLICY_COOLING + 1 };
    expect(lower([bo, { ...bo, at: bo.at - 5 }])).toEqual({
      ok: false,
      refusal: { code: 'second_manager_lately', name: 'Bo', since: bo.at, until: bo.at + POLICY_COOLING },
    });
    const [cy, dee] = [
      { id: 'cy', name: 'Cy', at: at - 3 },
      { id: 'dee', name: 'Dee', at: at - 2 },
    ];
    expect(lower([bo, cy, dee])).toMatchObject({ refusal: { name: 'Dee', since: dee.at } });
    expect(lower([{ ...bo, at: at - POLICY_COOLING }])).toEqual({ ok: true, change: 'applied', alone: true });
    expect(lower([{ ...bo, id: 'ada' }])).toEqual({ ok: true, change: 'applied', alone: true });
    expect(lower([bo], ['ada', 'cy'])).toEqual({ ok: true, change: 'proposed' });
    expect(
      decidePolicyChange({ actorId: 'ada', managers: ['ada'], now: 2, wanted: 3, pending: null, former: [bo], at }),
    ).toEqual({ ok: true, change: 'applied', alone: false });
  });

  it('is refused to someone who is no owner or admin any more', () => {
    expect(
      decidePolicyChange({ actorId: 'cy', managers: ['ada'], now: 2, wanted: 3, pending: null, former: [], at: 0 }),
    ).toEqual({
      ok: false,
      refusal: { code: 'forbidden' },
    });
  });

  it('is the same proposal again only from the same person for the same number', () => {
    const ask = (actorId: string, wanted: number) =>
      decidePolicyChange({ actorId, managers: ['ada', 'bo'], now: 3, wanted, pending, former: [], at: 0 });
    expect([ask('ada', 1), ask('ada', 2), ask('bo', 1)]).toMatchObject([
      { change: 'none' },
      { change: 'proposed' },
      { change: 'proposed' },
    ]);
  });
});

describe('what waits for a second word', () => {
  const managers = ['ada', 'bo', 'cy'];
  it('is confirmed by anyone but the proposer', () => {
    const confirm = (actorId: string, shown: number | null = null) =>
      decidePolicyConfirmation({ actorId, managers, pending, shown });
    expect(confirm('bo')).toEqual({ ok: true, ...pending });
    expect(confirm('bo', 1)).toEqual({ ok: true, ...pending });
    expect(confirm('ada')).toMatchObject({ refusal: { code: 'proposer_cannot_confirm' } });
    expect(confirm('dee')).toMatchObject({ refusal: { code: 'forbidden' } });
    expect(confirm('bo', 0)).toEqual({ ok: false, refusal: { code: 'other_policy_change', shown: 0, waiting: 1 } });
  });

  it('is withdrawn by its proposer and refused by the others', () => {
    const end = (actorId: string) => decidePolicyRefusal({ actorId, managers, pending });
    expect([end('ada'), end('bo')]).toEqual([
      { ok: true, end: 'withdrawn' },
      { ok: true, end: 'refused' },
    ]);
    expect(end('dee')).toMatchObject({ refusal: { code: 'forbidden' } });
  });

  it('is refused once it waits no longer', () => {
    const gone = { actorId: 'bo', managers, pending: null };
    expect([decidePolicyConfirmation({ ...gone, shown: 1 }), decidePolicyRefusal(gone)]).toMatchObject([
      { refusal: { code: 'no_policy_change' } },
      { refusal: { code: 'no_policy_change' } },
    ]);
  });
});
