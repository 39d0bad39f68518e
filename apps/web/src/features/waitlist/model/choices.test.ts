import { expect, test } from 'vitest';
import { NO_ANSWERS } from './answers.ts';
import { choiceOf } from './choices.ts';
import { STEPS } from './steps.ts';

test('one picks at four steps and writes or reads at the others', () => {
  expect(STEPS.filter((step) => choiceOf(step, NO_ANSWERS) !== null)).toEqual([
    'role',
    'documentation-tools',
    'team-tools',
    'frequency',
  ]);
});

test('of roles and frequencies the last pick counts, and picking it again keeps it', () => {
  const first = choiceOf('role', NO_ANSWERS)?.pick('Founder') ?? NO_ANSWERS;
  const second = choiceOf('role', first)?.pick('Team Lead') ?? NO_ANSWERS;
  expect(second.role).toBe('Team Lead');
  expect(choiceOf('role', second)?.pick('Team Lead')).toEqual(second);
});

test('tools are picked and let go of', () => {
  const picked = choiceOf('team-tools', NO_ANSWERS)?.pick('monday.com') ?? NO_ANSWERS;
  expect(picked.teamTools).toEqual(['monday.com']);
  expect(choiceOf('team-tools', picked)?.pick('monday.com')).toEqual(NO_ANSWERS);
});

test('an option that is not offered changes nothing', () => {
  for (const step of STEPS) {
    const choice = choiceOf(step, NO_ANSWERS);
    if (choice) expect(choice.pick('Quill')).toEqual(NO_ANSWERS);
  }
});

test('the field for words of one’s own is there while Other is picked, and what was written survives', () => {
  const answers = { ...NO_ANSWERS, otherDocumentationTool: 'SharePoint lists' };
  expect(choiceOf('documentation-tools', answers)?.other).toBeNull();
  const withOther = choiceOf('documentation-tools', answers)?.pick('Other') ?? NO_ANSWERS;
  expect(choiceOf('documentation-tools', withOther)?.other?.key).toBe('otherDocumentationTool');
  expect(choiceOf('documentation-tools', withOther)?.pick('Other')).toEqual(answers);
});
