import { mentionsIn } from '@stet/domain/notifications';
import { describe, expect, test } from 'vitest';
import { questionText } from './question-text.ts';

const SAM = { id: 'sam', name: 'Sam', email: 'sam@halden.example' };
const SAM_OKAFOR = { id: 'okafor', name: 'Sam: Okafor', email: 'okafor@halden.example' };

describe('a question to a colleague', () => {
  test('begins with a mention of them', () => {
    expect(questionText(SAM, 'Which account?', [SAM])).toBe('@Sam: Which account?');
  });

  test('mentions them even if the person’s name and the first words together are someone else’s name', () => {
    const people = [SAM, SAM_OKAFOR];
    const text = questionText(SAM, 'Okafor or Park?', people);
    expect(text).toBe('@sam@halden.example: Okafor or Park?');
    expect(mentionsIn(text, people)).toMatchObject([{ userId: 'sam' }]);
  });
});
