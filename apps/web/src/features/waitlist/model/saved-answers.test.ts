import { APPLICANT_ROLES, DOCUMENTATION_TOOLS, FREQUENCIES, TEAM_TOOLS } from '@stet/domain/waitlist';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_ANSWERS } from './answers.ts';
import type { Answers } from './answers.ts';
import { readSaved, writeSaved } from './saved-answers.ts';

const answers: fc.Arbitrary<Answers> = fc.record({
  email: fc.string(),
  role: fc.option(fc.constantFrom(...APPLICANT_ROLES)),
  otherRole: fc.string(),
  documentationTools: fc.subarray([...DOCUMENTATION_TOOLS]),
  otherDocumentationTool: fc.string(),
  teamTools: fc.subarray([...TEAM_TOOLS]),
  otherTeamTool: fc.string(),
  frustrations: fc.string(),
  processTypes: fc.string(),
  collaborationSize: fc.string(),
  frequency: fc.option(fc.constantFrom(...FREQUENCIES)),
});

test('reads stored answers unchanged', () => {
  fc.assert(
    fc.property(answers, fc.string(), (given, prefill) => {
      expect(readSaved(writeSaved(given, prefill), prefill)).toEqual(given);
    }),
  );
});

/** Valid and invalid values for each field. */
const stored = fc
  .record({
    prefill: fc.jsonValue(),
    answers: fc.record(
      Object.fromEntries(
        Object.keys(NO_ANSWERS).map((field) => [
          field,
          fc.oneof(
            fc.jsonValue(),
            fc.constantFrom(...APPLICANT_ROLES, ...FREQUENCIES),
            fc.array(fc.constantFrom(...TEAM_TOOLS)),
          ),
        ]),
      ),
      { requiredKeys: [] },
    ),
  })
  .map((saved) => JSON.stringify(saved));

test('reads an application with all its fields and only possible answers, whatever the storage contains', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), stored), (text) => {
      const read = readSaved(text, '');
      expect(Object.keys(read)).toEqual(Object.keys(NO_ANSWERS));
      const { role, frequency, documentationTools, teamTools, ...texts } = read;
      for (const written of Object.values(texts)) expect(written).toBeTypeOf('string');
      expect([null, ...APPLICANT_ROLES]).toContain(role);
      expect([null, ...FREQUENCIES]).toContain(frequency);
      // In the options' order, and without duplicates.
      expect(documentationTools).toEqual(DOCUMENTATION_TOOLS.filter((tool) => documentationTools.includes(tool)));
      expect(teamTools).toEqual(TEAM_TOOLS.filter((tool) => teamTools.includes(tool)));
    }),
  );
});

test('ignores options that no longer exist', () => {
  const text = JSON.stringify({
    prefill: '',
    answers: { role: 'Astronaut', documentationTools: ['Notion', 'Quill'], frequency: 7 },
  });
  expect(readSaved(text, '')).toEqual({ ...NO_ANSWERS, documentationTools: ['Notion'] });
});

test.each([
  ['a first visit', 'mara@a.example', null, 'mara@a.example'],
  ['a first visit without an address', '', null, ''],
  [
    'a reload after a correction',
    'm@b.example',
    writeSaved({ ...NO_ANSWERS, email: 'm@b.example' }, 'mara@a.example'),
    'mara@a.example',
  ],
  [
    'a link with a different address',
    'x@c.example',
    writeSaved({ ...NO_ANSWERS, email: 'm@b.example' }, 'mara@a.example'),
    'x@c.example',
  ],
  [
    'a visit without an address after one with an address',
    'm@b.example',
    writeSaved({ ...NO_ANSWERS, email: 'm@b.example' }, 'mara@a.example'),
    '',
  ],
])('%s fills in %j', (_, expected, saved, prefill) => {
  expect(readSaved(saved, prefill).email).toBe(expected);
});
