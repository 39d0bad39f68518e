import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withBytes } from './long-texts.ts';

it('withBytes gives each text its position, and preserves the other columns', () => {
  const rows = fc.array(fc.record({ key: fc.string(), answer: fc.string({ unit: 'binary', maxLength: 20 }) }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(rows, (answers) => {
      const given = withBytes('answers', { column: 'answer', param: 'texts' }, { orgId: 'o', answers });
      const { texts, answers: short } = given as {
        texts: Buffer;
        answers: { key: string; from: number; size: number }[];
      };
      const again = short.map(({ key, from, size }) => ({
        key,
        answer: texts.toString('utf8', from - 1, from - 1 + size),
      }));
      expect(again).toEqual(answers);
      expect(short.flatMap(Object.keys)).not.toContain('answer');
      expect(given['orgId']).toBe('o');
    }),
  );
});
