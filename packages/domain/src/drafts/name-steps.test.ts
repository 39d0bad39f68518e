import { describe, expect, it } from 'vitest';
import { nameSteps } from './name-steps.ts';

describe('a step’s name in a change', () => {
  it('is its title, or its id if it has none', () => {
    const nameOf = nameSteps([
      { id: 'a', title: ' Pay ' },
      { id: 'b', title: ' ' },
    ]);
    expect([nameOf('a'), nameOf('b'), nameOf('gone')]).toEqual(['Pay', 'b', 'gone']);
  });

  it('includes the id if two steps look the same', () => {
    const nameOf = nameSteps([
      { id: 'a', title: 'Pay  vendor' },
      { id: 'b', title: 'pay vendor' },
      { id: 'c', title: 'Ship' },
    ]);
    expect([nameOf('a'), nameOf('b'), nameOf('c')]).toEqual(['Pay  vendor (a)', 'pay vendor (b)', 'Ship']);
  });

  it('is the later title if the step is on both sides, without counting it as a duplicate', () => {
    const nameOf = nameSteps([
      { id: 'a', title: 'Pay' },
      { id: 'b', title: 'Ship' },
      { id: 'a', title: 'Pay' },
      { id: 'b', title: 'Send' },
    ]);
    expect([nameOf('a'), nameOf('b')]).toEqual(['Pay', 'Send']);
  });

  it('shows invisible characters', () => {
    expect(nameSteps([{ id: 'a', title: 'Pay\u200B' }])('a')).toBe('Pay⟨U+200B⟩');
  });
});
