import { describe, expect, it, test } from 'vitest';
import { isWellFormed } from './canonical-json.ts';
import { copyForChangesDescription, copyTitle, displayTitle, newWorkflowTitle } from './names.ts';
import { METADATA } from './content.ts';

describe('the names of workflows', () => {
  it('include the template’s name, except for the blank template', () => {
    expect(newWorkflowTitle({ id: 'blank', name: 'Blank Workflow' })).toBe('New Workflow');
    expect(newWorkflowTitle({ id: 'approval', name: 'Approval Process' })).toBe('New Approval Process Workflow');
  });

  it('end in (Copy) for a duplicate, even if the title has the maximum length', () => {
    expect(copyTitle('Vendor onboarding')).toBe('Vendor onboarding (Copy)');
    const longest = copyTitle('x'.repeat(METADATA.title.limit));
    expect(longest).toHaveLength(METADATA.title.limit);
    expect(longest.endsWith('x (Copy)')).toBe(true);
    expect(isWellFormed(copyTitle('😀'.repeat(METADATA.title.limit / 2)))).toBe(true);
  });

  it('are the key if the title is blank', () => {
    expect(displayTitle('vendor-onboarding', ' ')).toBe('vendor-onboarding');
    expect(displayTitle('vendor-onboarding', 'Vendors')).toBe('Vendors');
  });
});

test('the description of a copy for changes says so once, even if the source is such a copy', () => {
  expect(copyForChangesDescription('How we buy.')).toBe('How we buy. (copy for changes)');
  expect(copyForChangesDescription('How we buy. (copy for changes)')).toBe('How we buy. (copy for changes)');
});
