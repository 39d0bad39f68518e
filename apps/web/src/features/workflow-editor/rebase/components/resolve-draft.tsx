import { displayTitle, isolated } from '@stet/domain/workflows';
import type { RebaseQuestion } from '@stet/contract';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRebase } from '../api/use-rebase.ts';
import { resolutionsOf } from '../model/answers.ts';
import { questionGroups } from '../model/questions.ts';
import { anchorOf } from './conflict-card.tsx';
import { ConflictGroups } from './conflict-groups.tsx';
import { Outcome } from './outcome.tsx';
import { RebaseBar } from './rebase-bar.tsx';
import { useConflictAnswers } from './use-conflict-answers.ts';
import { ApiError, errorSentence } from '../../../../lib/api/api-error.ts';
import { useCan } from '../../../../lib/session/signed-in.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { Note } from '../../../../ui/note.tsx';
import { SegmentedControl } from '../../../../ui/segmented-control.tsx';
import { toast } from '../../../../ui/toast.ts';
import styles from './rebase.module.css';

type ResolveDraftProps = {
  at: { key: string; id: string };
  title: string;
  question: RebaseQuestion;
  /** The draft's address in the editor. */
  editor: string;
  /** The page that the person returns to. */
  back: string;
};

/** The conflicts, the resulting draft, and the button to rebase. */
export function ResolveDraft({ at, title, question, editor, back }: ResolveDraftProps) {
  const navigate = useNavigate();
  const canRebase = useCan('draft.edit');
  const conflictAnswers = useConflictAnswers(question);
  const rebase = useRebase(at);
  const { sides, resolved } = conflictAnswers;
  const { questions, open } = resolved;
  const [view, setView] = useState<'conflicts' | 'outcome'>(questions.length === 0 ? 'outcome' : 'conflicts');
  const groups = useMemo(() => questionGroups(questions, sides), [questions, sides]);
  const { base, live } = question;
  const names = useMemo(
    () => ({ base: base ? `Before (${nameOf(base)})` : 'Before', live: nameOf(live) }),
    [base, live],
  );

  const send = () => {
    if (live === null || rebase.isPending) return;
    const input = { revision: question.revision, liveVersionId: live.id, resolutions: resolutionsOf(questions) };
    rebase.mutate(input, {
      onSuccess: () => {
        conflictAnswers.forget();
        const outcome = displayTitle(at.key, resolved.content.metadata.title);
        toast.ok('Draft rebased', `${isolated(outcome)} is now based on ${names.live}`, { forNextScreen: true });
        void navigate(back);
      },
    });
  };
  const goToOpen = () => {
    setView('conflicts');
    const first = groups.flatMap((group) => group.questions).find(({ answer }) => answer === null);
    // The list may not be visible until the next frame.
    requestAnimationFrame(() => first && focusQuestion(first.id));
  };
  const resolveOpen = (take: 'live' | 'draft') =>
    conflictAnswers.answer(
      groups.flatMap((group) => group.questions).filter(({ answer }) => answer === null),
      { take },
    );
  const allResolved = open === 0 ? 'All conflicts are resolved' : undefined;

  return (
    <>
      <div className={styles.rebaseHead}>
        <p className="two">
          Workflow: <span className="mono">{at.key}</span>
        </p>
        <h1 className="title-lg">{title}</h1>
        <p className="two">
          {live &&
            (base
              ? `This draft is based on ${nameOf(base)}, but ${nameOf(live)} is live now. `
              : `${nameOf(live)} is live now, but this draft isn’t based on it. `)}
          {questions.length === 0
            ? 'The draft and the live version change different things, so there are no conflicts.'
            : 'Changes made on only one side are already included. If both sides changed the same field, choose what to keep.'}
        </p>
      </div>
      {rebase.isError && <Failure error={rebase.error} editor={editor} />}
      {questions.length > 0 && (
        <div className={styles.rebaseTools}>
          <SegmentedControl
            label="View"
            value={view}
            options={[
              { value: 'conflicts', label: `Conflicts (${questions.length})` },
              { value: 'outcome', label: 'Outcome' },
            ]}
            onChange={setView}
          />
          <div className={styles.actions}>
            <Button size="sm" disabledReason={allResolved} onClick={() => resolveOpen('live')}>
              Use {names.live} for all open conflicts
            </Button>
            <Button size="sm" disabledReason={allResolved} onClick={() => resolveOpen('draft')}>
              Keep the draft for all open conflicts
            </Button>
          </div>
        </div>
      )}
      {view === 'conflicts' && questions.length > 0 ? (
        <ConflictGroups groups={groups} names={names} onAnswer={conflictAnswers.answer} />
      ) : (
        <Outcome conflictAnswers={conflictAnswers} liveName={names.live} />
      )}
      <RebaseBar
        total={questions.length}
        open={open}
        busy={rebase.isPending}
        canRebase={canRebase}
        onNextOpen={goToOpen}
        onRebase={send}
      />
    </>
  );
}

const nameOf = (side: { version: number | null } | null): string =>
  side === null || side.version === null ? 'the live version' : `v${side.version}`;

function focusQuestion(id: string): void {
  const card = document.getElementById(anchorOf(id));
  card?.scrollIntoView({ block: 'center' });
  card?.querySelector('input')?.focus({ preventScroll: true });
}

/** The reason why the rebase failed, and advice. Both sides are reloaded in the meantime. */
function Failure({ error, editor }: { error: unknown; editor: string }) {
  const code = error instanceof ApiError ? error.code : '';
  const moved = code === 'live_changed' || code === 'stale_revision';
  return (
    <Note tone="bad">
      {errorSentence(error, 'The draft was not rebased')}.{' '}
      {moved && 'Nothing was changed. Your choices are kept for fields that haven’t changed since on either side.'}
      {(code === 'invalid_workflow' || code === 'invalid') && (
        <>
          The merged workflow couldn’t run. Make different choices, or change the draft first.{' '}
          <ButtonLink to={editor} size="sm">
            Open the draft
          </ButtonLink>
        </>
      )}
    </Note>
  );
}
