import type { Base } from './folder-state.ts';
import type { Remote } from './remote.ts';

type PushConflict =
  /** Another version is live than the file began from; null where none was, or is. */
  | { why: 'moved'; from: number | null; to: number | null }
  /** The workflow is on the server and the file did not come from there. */
  | { why: 'not_pulled' }
  /** The draft that the file began from, or that was pushed from it, was changed since. */
  | { why: 'draft_changed'; draftId: string }
  /** It was deleted or archived. */
  | { why: 'gone' };

export type PushDecision =
  | { do: 'nothing'; because: 'live' | 'not_edited' }
  /** A draft has this content already; `own` where it was pushed from here. */
  | { do: 'keep'; draftId: string; revision: number; submitted: boolean; own: boolean }
  | { do: 'create' }
  /** The draft that was pushed from here before. */
  | { do: 'save'; draftId: string; revision: number; submitted: boolean }
  | { do: 'refuse'; conflict: PushConflict };

/**
 * What a push does with one file. Nothing is pushed twice, and nothing on top of what its author hasn't seen.
 * @param local the content hash of the file
 * @param base what the file began from; undefined where it was not pulled
 */
export function decidePush(local: string, base: Base | undefined, remote: Remote | undefined): PushDecision {
  if (!remote) return base?.contentHash || base?.draft ? refuse({ why: 'gone' }) : { do: 'create' };
  const { live, drafts } = remote;
  if (live?.hash === local) return { do: 'nothing', because: 'live' };
  const same = drafts.filter(({ contentHash }) => contentHash === local);
  const kept = same.find(({ id }) => id === base?.draft?.id) ?? same[0];
  if (kept) {
    const own = kept.id === base?.draft?.id;
    return { do: 'keep', draftId: kept.id, revision: kept.revision, submitted: kept.status === 'in_review', own };
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
  // What was pushed from here has gone live as it was: whoever edits the file further has seen it.
  const isOwn = live !== null && live.id === base.draft?.id && live.hash === base.draft.contentHash;
  if ((live?.id ?? null) !== from && !isOwn) return { why: 'moved', from: base.version, to: live?.number ?? null };
  if (base.version !== null || base.versionId === null || live || base.draft?.id === base.versionId) return null;
  const pulled = drafts.find(({ id }) => id === base.versionId);
  return pulled?.contentHash === base.contentHash ? null : { why: 'draft_changed', draftId: base.versionId };
}

/** A conflict as a sentence, with what can be done. */
export function conflictInWords(conflict: PushConflict): string {
  switch (conflict.why) {
    case 'moved': {
      const [now, then] = [conflict.to, conflict.from].map((n) => (n === null ? 'none' : `v${n}`));
      return `${now} is live now, and the file began from ${then}. Pull and edit again, or push --force to propose it all the same`;
    }
    case 'not_pulled':
      return 'this workflow is live, and the file was not pulled from it. Pull first, or push --force to propose it all the same';
    case 'draft_changed':
      return `somebody changed draft ${conflict.draftId} since. Look at it there, or push --force to make another draft`;
    case 'gone':
      return 'the workflow was deleted or archived on the server';
  }
}
