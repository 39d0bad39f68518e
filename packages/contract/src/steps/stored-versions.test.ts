import { type WorkflowContent, contentHash } from '@stet/domain/workflows';
import { describe, expect, it } from 'vitest';
import { workflowBody } from '../workflow-content.ts';
import versions from './stored-versions.json' with { type: 'json' };

// The stored versions were created with commit 02f56f1. They contain every step type, unusual texts and branches, and
// graphs that are now refused.
// `sentHash` is the content's hash after a client has sent it back and it was validated again; null if it was refused.
const stored = versions as unknown as { hash: string; sentHash: string | null; content: WorkflowContent }[];

describe('versions stored before step types had their own folders', () => {
  it.each(stored)('keep their content hash $hash', ({ hash, sentHash, content }) => {
    expect(contentHash(content)).toBe(hash);
    const sent = workflowBody.safeParse(content);
    expect(sent.success ? contentHash(sent.data) : null).toBe(sentHash);
  });
});
