import { expect, test } from 'vitest';
import { NO_ANSWERS } from './answers.ts';
import { choiceOf } from './choices.ts';
import { STEPS } from './steps.ts';

test('only four of the ten steps offer choices', () => {
  expect(STEPS.filter((step) => choiceOf(step, NO_ANSWERS) !== null)).toEqual([
    'role',
    'documentation-tools',
    'team-tools',
    'frequency',
  ]);
});

test('choosing a different role replaces the previous one, and choosing it again changes nothing', () => {
  const first = choiceOf('role', NO_ANSWERS)?.pick('Founder') ?? NO_ANSWERS;
  const second = choiceOf('role', first)?.pick('Team Lead') ?? NO_ANSWERS;
  expect(second.role).toBe('Team Lead');
  expect(choiceOf('role', second)?.pick('Team Lead')).toEqual(second);
});

test('choosing a tool again deselects it', () => {
  const picked = choiceOf('team-tools', NO_ANSWERS)?.pick('monday.com') ?? NO_ANSWERS;
  expect(picked.teamTools).toEqual(['monday.com']);
  expect(choiceOf('team-tools', picked)?.pick('monday.com')).toEqual(NO_ANSWERS);
});

test('ignores an unknown option', () => {
  for (const step of STEPS) {
    const choice = choiceOf(step, NO_ANSWERS);
    if (choice) expect(choice.pick('Quill')).toEqual(NO_ANSWERS);
  }
});

test('shows the text field while Other is chosen and keeps its text', () => {
  const answers = { ...NO_ANSWERS, otherDocumentationTool: 'SharePoint lists' };
  expect(choiceOf('documentation-tools', answers)?.other).toBeNull();
  const withOther = choiceOf('documentation-tools', answers)?.pick('Other') ?? NO_ANSWERS;
  expect(choiceOf('documentation-tools', withOther)?.other?.key).toBe('otherDocumentationTool');
  expect(choiceOf('documentation-tools', withOther)?.pick('Other')).toEqual(answers);
});
