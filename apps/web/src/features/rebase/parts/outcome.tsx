import { diffContent, isUnchanged } from '@stet/domain/drafts';
import { useDeferredValue, useMemo } from 'react';
import { contentChanges } from '../../../lib/content-changes.ts';
import { ChangeList } from '../../../ui/change-list.tsx';
import { Note } from '../../../ui/note.tsx';
import { titlesOf } from '../model/questions.ts';
import type { Settling } from './use-settling.ts';

/** What the draft will change against the live version, once it is rebased with the answers given so far. */
export function Outcome({ settling, liveName }: { settling: Settling; liveName: string }) {
  const { sides, settlement } = settling;
  const outcome = useDeferredValue(settlement.content);
  const diff = useMemo(() => diffContent(sides.live, outcome), [sides.live, outcome]);
  const changes = useMemo(() => {
    const titleOf = titlesOf({ base: sides.live, live: sides.draft, draft: outcome });
    return contentChanges({ ...diff, metadata: { ...diff.metadata } }, titleOf);
  }, [diff, sides, outcome]);
  return (
    <section className="stack" aria-label="Outcome">
      {settlement.open > 0 && (
        <Note>
          {settlement.open === 1 ? 'One place is' : `${settlement.open} places are`} still open, and shown here as in
          the draft.
        </Note>
      )}
      {isUnchanged(diff) ? (
        <p className="md">Nothing is left of the draft: it would be what {liveName} is.</p>
      ) : (
        <>
          <p className="two">What the draft will change against {liveName}:</p>
          <ChangeList changes={changes} />
        </>
      )}
    </section>
  );
}
