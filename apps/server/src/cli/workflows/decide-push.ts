import type { Base } from './folder-state.ts';
import type { Remote } from './remote.ts';

type PushConflict =
  /**
   * The file is based on a version other than the live one. `from` is null if the file is based on no version, and `to`
   * is null if none is live.
   */
  | { why: 'moved'; from: number | null; to: number | null }
  /** The workflow is live, but the file was not pulled from the server. */
  | { why: 'not_pulled' }
  /** The draft that the file is based on, or that was pushed from it, has changed since then. */
  | { why: 'draft_changed'; draftId: string }
  /** The workflow was deleted or archived. */
  | { why: 'gone' };

export type PushDecision =
  | { do: 'nothing'; because: 'live' | 'not_edited' }
  /** A draft already has this content. `own` is true if it was pushed from this folder. */
  | { do: 'keep'; draftId: string; revision: number; submitted: boolean; own: boolean }
  | { do: 'create' }
  /** The draft that was pushed from this folder before has to be updated. */
  | { do: 'save'; draftId: string; revision: number; submitted: boolean }
  | { do: 'refuse'; conflict: PushConflict };

/**
 * Decides how to push one file. Never pushes the same content twice, or over changes that the author hasn't seen.
 *
 * @param local the content hash of the file
 * @param base the state that the file is based on; undefined if it was neither pulled nor pushed
 */
export function decidePush(local: string, base: Base | undefined, remote: Remote | undefined): PushDecision {
  if (!remote) return base?.contentHash || base?.draft ? refuse({ why: 'gone' }) : { do: 'create' };
  const { live, drafts } = remote;
  if (live?.hash === local) return { do: 'nothing', because: 'live' };
  const same = drafts.filter(({ contentHash }) => contentHash === local);
  const existing = same.find(({ id }) => id === base?.draft?.id) ?? same[0];
  if (existing) {
    const own = existing.id === base?.draft?.id;
    return {
      do: 'keep',
      draftId: existing.id,
      revision: existing.revision,
      submitted: existing.status === 'in_review',
      own,
    };
  }
  if (base && base.contentHash === local) return { do: 'nothing', because: 'not_edited' };

  const conflict = movedSince(base, remote);
  if (conflict) return refuse(conflict);
  const own = drafts.find(({ id }) => id === base?.draft?.id);
  if (!own) return { do: 'create' };
  if (own.revision !== base?.draft?.revision) return refuse({ why: 'draft_changed', draftId: own.id });
  return { do: 'save', draftId: own.id, revision: own.revision, submitted: own.status === 'in_review' };
}

const refuse = (conflict: PushConflict): PushDecision => ({ do: 'refuse', conflict });

function movedSince(base: Base | undefined, { live, drafts }: Remote): PushConflict | null {
  if (!base) return live ? { why: 'not_pulled' } : null;
  const from = base.version === null ? null : base.versionId;
  // If the draft that was pushed from this folder went live unchanged, the author knows the live content.
  const isOwn = live !== null && live.id === base.draft?.id && live.hash === base.draft.contentHash;
  if ((live?.id ?? null) !== from && !isOwn) return { why: 'moved', from: base.version, to: live?.number ?? null };
  if (base.version !== null || base.versionId === null || live || base.draft?.id === base.versionId) return null;
  const pulled = drafts.find(({ id }) => id === base.versionId);
  return pulled?.contentHash === base.contentHash ? null : { why: 'draft_changed', draftId: base.versionId };
}

/** Describes a conflict in a sentence that includes the possible next steps. */
export function conflictInWords(conflict: PushConflict): string {
  switch (conflict.why) {
    case 'moved': {
      const [now, then] = [conflict.to, conflict.from].map((n) => (n === null ? 'no version' : `v${n}`));
      return `${now} is live now, but the file is based on ${then}. Pull and edit again, or use push --force to propose it anyway`;
    }
    case 'not_pulled':
      return 'this workflow is live, but the file was not pulled from it. Pull first, or use push --force to propose it anyway';
    case 'draft_changed':
      return `someone has changed draft ${conflict.draftId} in the meantime. Review it on the server, or use push --force to create a new draft`;
    case 'gone':
      return 'the workflow was deleted or archived on the server';
  }
}
