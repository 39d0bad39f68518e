import { describe, expect, it } from 'vitest';
import { contentHash } from './content-hash.ts';
import { type WorkflowMetadata, withMetadataValue } from './content.ts';

describe('a changed metadata field', () => {
  const before = { title: 'Vendors' } as WorkflowMetadata;
  const hashOf = (metadata: WorkflowMetadata): string => contentHash({ metadata, steps: [] });

  it('restores the earlier hash when it is cleared, if older versions don’t have it', () => {
    const filled = withMetadataValue(before, 'description', 'How we buy.', true);
    expect(filled).toEqual({ title: 'Vendors', description: 'How we buy.' });
    expect(hashOf(withMetadataValue(filled, 'description', '', true))).toBe(hashOf(before));
  });

  it('stays in the content when it is cleared, if every version has it', () => {
    const stored = { title: 'Vendors', description: '' };
    expect(withMetadataValue({ title: 'Vendors', description: 'How we buy.' }, 'description', '')).toEqual(stored);
    expect(hashOf(stored)).not.toBe(hashOf(before));
  });
});
