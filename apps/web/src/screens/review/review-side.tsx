import type { DraftImpact, WholeDraft } from '@stet/contract';
import { ChevronDown, CircleCheck, CircleX } from 'lucide-react';
import { Link } from 'react-router';
import { isBehind } from '../../features/review/model/compare-options.ts';
import { ImpactSummary } from '../../features/review/components/impact-summary.tsx';
import { MergePanel, blockersInWords } from '../../features/review/components/merge-panel.tsx';
import { Approvals, Contributors, Objections } from '../../features/review/components/people.tsx';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../../lib/session/signed-in.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import type { ReviewActions } from './use-review-actions.ts';
import styles from '../../features/review/components/review-side.module.css';

type ReviewSideProps = {
  draft: WholeDraft;
  isStale: boolean;
  impact: DraftImpact | undefined;
  impactError: string | null;
  onImpactRetry: () => void;
  titleOf: (stepId: string) => string;
  actions: ReviewActions;
  /** Whether the margin is collapsed to one line, as on narrow pages. */
  isFolded: boolean;
  now: number;
  onSubmit: () => void;
  /** Null if the button is elsewhere on the page. */
  onMerge: (() => void) | null;
  onEmergency: () => void;
  onSetAside: (objection: WholeDraft['objections'][number]) => void;
};

/** The page lists lost controls above the changes instead. */
const NONE: DraftImpact['controlLosses'] = [];

/** The margin, with the merge blockers first and the impact last. */
export function ReviewSide(props: ReviewSideProps) {
  const { draft, isStale, impact, impactError, onImpactRetry, titleOf, actions, isFolded, now } = props;
  const { onSubmit, onMerge, onEmergency, onSetAside } = props;
  const canMerge = useCan('draft.merge');
  const { abilities, blockers } = draft;
  // People who can't edit can't rebase either.
  const rebase = abilities.edit && (
    <>
      {' '}
      <Link to={paths.rebase({ key: draft.key, id: draft.id, from: 'review' })}>Rebase draft</Link>
    </>
  );
  const inside = (
    <>
      <MergePanel
        draft={draft}
        isStale={isStale}
        canMerge={canMerge}
        rebase={rebase}
        onMerge={onMerge}
        onEmergency={abilities.emergency ? onEmergency : null}
      >
        {abilities.submit && (
          <Button busy={actions.taking === 'submit' && 'Submitting…'} onClick={onSubmit}>
            Submit for review
          </Button>
        )}
        {abilities.withdraw && (
          <Button
            busy={actions.taking === 'withdraw' && 'Withdrawing…'}
            onClick={() => actions.take({ do: 'withdraw' })}
          >
            Withdraw from review
          </Button>
        )}
        {draft.merged === null && (
          <ButtonLink tone="quiet" to={paths.editor({ key: draft.key, mode: 'edit', draftId: draft.id })}>
            Open in editor
          </ButtonLink>
        )}
        {actions.stepProblem !== null && <Note tone="bad">{actions.stepProblem}</Note>}
      </MergePanel>
      {draft.merged === null && (
        <Objections objections={draft.objections} now={now} onSetAside={abilities.setAside ? onSetAside : null} />
      )}
      <Approvals draft={draft} now={now} />
      <Contributors contributors={draft.contributors} />
      <ImpactSummary
        impact={impact && { ...impact, controlLosses: NONE }}
        error={impactError}
        onRetry={onImpactRetry}
        titleOf={titleOf}
        against={isBehind(draft) ? `Compared with v${draft.baseVersion}, which the draft is based on` : null}
      />
    </>
  );
  if (!isFolded) return inside;
  const isFree = blockers.length === 0;
  return (
    <details className={styles.reviewFold}>
      <summary>
        <span className={isFree ? styles.free : styles.blocked}>
          <Icon of={isFree ? CircleCheck : CircleX} />
        </span>
        {draft.merged ? 'Merged: approvals and impact' : blockersInWords(blockers.length)}
        <Icon of={ChevronDown} />
      </summary>
      {inside}
    </details>
  );
}
