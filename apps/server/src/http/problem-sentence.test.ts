import { describe, expect, it } from 'vitest';
import { problemSentence } from './problem-sentence.ts';

describe('problemSentence', () => {
  it.each([
    ['email', 'must have at most 254 characters', 'Email must have at most 254 characters'],
    ['requiredApprovals', 'must be a whole number', 'Required approvals must be a whole number'],
    ['tell', 'must have at most 20 entries', 'Recipients must have at most 20 entries'],
    ['url', 'must not be empty', 'URL must not be empty'],
    ['members.2', 'must be a UUID', 'Entry 3 of members must be a UUID'],
    ['steps.2', 'must be an object', 'Step 3 must be an object'],
    ['steps.2.title', 'must not be empty', 'Title of step 3 must not be empty'],
    ['steps.2.config.recipients.0', 'must be text', 'Entry 1 of recipients of step 3 must be text'],
    ['steps.2.config.fields.0', 'must be an object', 'Field 1 of step 3 must be an object'],
    ['steps.2.config.fields.0.requiredIf', 'must be text', 'Condition of field 1 of step 3 must be text'],
    ['steps.2.config.fields.0.options.1', 'must be text', 'Entry 2 of options of field 1 of step 3 must be text'],
    ['toUserId', 'must be a UUID', 'Delegate must be a UUID'],
    ['asOf', 'is in the future', 'Date is in the future'],
    ['metadata.title', 'is required', 'Title is required'],
    ['action', 'can’t be used on your own account', 'Action can’t be used on your own account'],
    ['If-Match', 'must be a revision, for example "3"', 'If-Match must be a revision, for example "3"'],
    ['', 'is required', 'The request needs a body'],
    ['', 'must be an object', 'The request must be an object'],
    ['', 'The request is nested too deeply', 'The request is nested too deeply'],
    ['name', 'Full name is required', 'Full name is required'],
  ])('%s %s', (field, problem, sentence) => {
    expect(problemSentence({ field, problem })).toBe(sentence);
  });
});
