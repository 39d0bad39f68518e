import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../workflows/canonical-json.ts';
import { filesNamedIn } from './named-files.ts';

const evidence = {
  fileId: '0197a3c1-0000-7000-8000-000000000001',
  sha256: 'ab'.repeat(32),
  size: 7,
  name: 'offer.pdf',
  mediaType: 'application/pdf',
};
const person = { kind: 'user', id: 'u', name: 'Ada' };
const event = (record: object, action = 'step.completed') => ({ seq: 4, action, payload: canonicalJson(record) });
const input = (fields: object) => ({ actor: person, data: { output: { text: '', fields } } });

describe('the files that an event names', () => {
  it('are those in the input of a step, with the number of the event', () => {
    const other = { ...evidence, fileId: evidence.fileId.replace('1', '2') };
    const record = input({ offer: [evidence, other], note: 'text', many: ['a'] });
    expect(filesNamedIn(event(record))).toEqual([evidence, other].map((file) => ({ seq: 4, ...file })));
    expect(filesNamedIn(event(record, 'step.submitted'))).toHaveLength(2);
    expect(filesNamedIn(event(record, 'run.started'))).toEqual([]);
    expect(filesNamedIn({ ...event(record), payload: null })).toEqual([]);
    expect(filesNamedIn({ ...event(record), payload: '{"sha256"' })).toEqual([]);
  });

  it('are also those of a note', () => {
    const record = { actor: person, data: { noteId: 'n', text: 'See the photo', files: [evidence] } };
    expect(filesNamedIn(event(record, 'note.added'))).toEqual([{ seq: 4, ...evidence }]);
    expect(filesNamedIn(event(record, 'step.completed'))).toEqual([]);
    expect(filesNamedIn(event(input({ offer: [evidence] }), 'note.added'))).toEqual([]);
    expect(filesNamedIn(event({ actor: person, data: { text: '"sha256"', files: evidence } }, 'note.added'))).toEqual(
      [],
    );
  });

  it('exclude those that a script claims, and values that only resemble files', () => {
    expect(filesNamedIn(event({ ...input({ offer: [evidence] }), actor: { ...person, kind: 'system' } }))).toEqual([]);
    const odd = [
      { fileId: '../../etc/passwd' },
      { fileId: 5 },
      { sha256: 'AB'.repeat(32) },
      { sha256: 'ab' },
      { size: '7' },
      { name: 1 },
      { mediaType: null },
    ].map((change) => ({ ...evidence, ...change }));
    expect(filesNamedIn(event(input({ offer: odd, single: evidence })))).toEqual([]);
  });

  it('are an empty list for arbitrary text or JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const payload = `${text} "sha256"`;
        for (const given of [payload, canonicalJson(input({ sha256: text }))])
          expect(filesNamedIn({ seq: 1, action: 'step.completed', payload: given })).toEqual([]);
      }),
    );
  });
});
