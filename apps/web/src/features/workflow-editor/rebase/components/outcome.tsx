import { diffContent, isUnchanged } from '@stet/domain/drafts';
import { useDeferredValue, useMemo } from 'react';
import { contentChanges } from '../../../../lib/content-changes.ts';
import { usePeople } from '../../../../lib/session/use-members.ts';
import { ChangeList } from '../../../../ui/change-list.tsx';
import { Note } from '../../../../ui/note.tsx';
import { titlesOf } from '../model/questions.ts';
import type { ConflictAnswers } from './use-conflict-answers.ts';

/** The changes from the live version to the rebased draft, with the choices so far. */
export function Outcome({ conflictAnswers, liveName }: { conflictAnswers: ConflictAnswers; liveName: string }) {
  const { sides, resolved } = conflictAnswers;
  const { nameOf } = usePeople();
  const outcome = useDeferredValue(resolved.content);
  const diff = useMemo(() => diffContent(sides.live, outcome), [sides.live, outcome]);
  const changes = useMemo(() => {
    const titleOf = titlesOf({ base: sides.live, live: sides.draft, draft: outcome });
    const known = [...sides.live.steps, ...outcome.steps];
    return contentChanges({ ...diff, metadata: { ...diff.metadata } }, titleOf, known, nameOf);
  }, [diff, sides, outcome, nameOf]);
  return (
    <section className="stack" aria-label="Outcome">
      {resolved.open > 0 && (
        <Note>
          {resolved.open === 1
            ? 'One conflict is still open. Until you resolve it, the draft’s value is shown.'
            : `${resolved.open} conflicts are still open. Until you resolve them, the draft’s values are shown.`}
        </Note>
      )}
      {isUnchanged(diff) ? (
        <p className="md">The draft would contain no changes, so it would be identical to {liveName}.</p>
      ) : (
        <>
          <p className="two">The draft’s changes to {liveName}:</p>
          <ChangeList changes={changes} />
        </>
      )}
    </section>
  );
}
