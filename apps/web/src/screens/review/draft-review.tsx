import type { Diff, WholeDraft } from '@stet/contract';
import { nameSteps } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import type { Step } from '@stet/domain/steps';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useDraftDiff, useDraftFindings, useDraftImpact } from '../../features/review/api/use-review.ts';
import type { Against, DraftRef } from '../../features/review/api/use-review.ts';
import { actingReviewers, approvalOf, approvedWords } from '../../features/review/model/acting-reviewer.ts';
import { changeList } from '../../features/review/model/listed-changes.ts';
import { compareOptions } from '../../features/review/model/compare-options.ts';
import { threadsOf } from '../../features/review/model/threads.ts';
import { AddressWarnings, ContentFindings } from '../../features/review/components/content-warnings.tsx';
import { FindingsBand, FindingsError } from '../../features/review/components/findings-band.tsx';
import { Changes } from '../../features/review/components/change-list.tsx';
import { DiffSummary } from '../../features/review/components/diff-summary.tsx';
import { Discussion } from '../../features/review/components/discussion.tsx';
import { ApprovedBar, ReviewBar } from '../../features/review/components/review-bar.tsx';
import { focusChange, focusStep, useReviewKeys } from '../../features/review/components/use-review-keys.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useCan, useIsWithheld, useUser } from '../../lib/session/signed-in.ts';
import { ErrorState } from '../../ui/empty-state.tsx';
import { useFocusOnward } from '../../ui/use-focus-onward.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ReviewDialogs } from './review-dialogs.tsx';
import type { Asking } from './review-dialogs.tsx';
import { ReviewHeader } from './review-header.tsx';
import { ReviewFlows } from './review-flows.tsx';
import { ReviewNotes } from './review-notes.tsx';
import { ReviewSide } from './review-side.tsx';
import { useCommenting, useReviewActions } from './use-review-actions.ts';
import { classNames } from '../../ui/class-names.ts';
import reviewScreenStyles from './review-screen.module.css';
import reviewSideStyles from '../../features/review/components/review-side.module.css';

/** The number of changes that are listed at first (specification, section 9), and on request. */
const [FEW, MANY] = [200, 1000];

const NOTHING: Diff['summary'] = { added: [], removed: [], modified: [] };

export function DraftReview({ draft, draftRef }: { draft: WholeDraft; draftRef: DraftRef }) {
  const options = compareOptions(draft);
  const [wanted, setWanted] = useState<Against | null>(null);
  const against = options.find(({ value }) => value === wanted)?.value ?? options[0]?.value ?? 'live';
  const [limit, setLimit] = useState(FEW);
  const diff = useDraftDiff(draftRef, against, limit);
  const impact = useDraftImpact(draftRef);
  const findings = useDraftFindings(draftRef);
  const read = useDraftAsRead(draft, diff.data?.revision);
  // True if the page shows an outdated draft. A decision requires the current content.
  const isStale = diff.data !== undefined && diff.data.revision !== draft.revision;

  const { id: userId, provedBy } = useUser();
  const commenting = useCommenting(draftRef, draft.abilities.comment);
  const actions = useReviewActions(draftRef, {
    revision: diff.data?.revision ?? draft.revision,
    nextVersion: draft.nextVersion,
  });
  const [asking, setAsking] = useState<Asking>('nothing');
  const ask = (what: Asking) => {
    actions.forgetProblem();
    setAsking(what);
  };

  const threads = useMemo(
    () => threadsOf({ comments: draft.comments, steps: read.steps }, (diff.data?.summary ?? NOTHING).removed),
    [draft.comments, read.steps, diff.data],
  );
  const spokenOf = useMemo(
    () =>
      new Set(
        [...threads.byStep].flatMap(([id, thread]) =>
          thread.some(({ resolvedAt }) => resolvedAt === null) ? [id] : [],
        ),
      ),
    [threads],
  );
  const [wantedStep, setWantedStep] = useState<{ stepId: string } | null>(null);
  const list = useMemo(() => {
    const shown = wantedStep ? new Set([...spokenOf, wantedStep.stepId]) : spokenOf;
    return diff.data ? changeList(diff.data, read.steps, shown) : null;
  }, [diff.data, read.steps, spokenOf, wantedStep]);
  const known = useKnownSteps(read, diff.data);
  const titleOf = useMemo(() => nameSteps(known), [known]);

  const changes = useRef<HTMLDivElement>(null);
  const sought = useRef<string | null>(null);
  const showStep = (stepId: string) => {
    if (focusStep(changes.current, stepId)) return;
    sought.current = stepId;
    setWantedStep({ stepId });
    if ((diff.data?.total ?? 0) > limit) setLimit(MANY);
  };
  // The wanted step may have been folded or not loaded yet, so try again whenever the list changes.
  useEffect(() => {
    if (sought.current !== null && focusStep(changes.current, sought.current)) sought.current = null;
  }, [list]);
  // Approving removes the form that has the focus.
  const bar = useFocusOnward<HTMLDivElement>(['[aria-label="Your review"]']);
  const hasReadAll = diff.data !== undefined && !isStale;
  const [wantedDelegator, setWantedDelegator] = useState<string | null>(null);
  const choices = actingReviewers(draft);
  const acting = choices.find(({ onBehalfOf }) => (onBehalfOf?.id ?? null) === wantedDelegator) ?? choices[0];
  const onBehalfOf = acting?.onBehalfOf ?? null;
  const hasApproved = acting?.withdrawApproval ?? false;
  const canDecide = acting?.approve === true && !hasApproved && hasReadAll;
  const isReady = draft.abilities.merge && hasReadAll;
  const keys = useReviewKeys({
    onStep: (by) => focusChange(changes.current, by),
    onComment: (stepId) => commenting.may && commenting.onWrite(stepId),
    onMain: isReady
      ? () => setAsking('merge')
      : canDecide && actions.deciding === null
        ? () => setAsking('approve')
        : null,
  });
  const showAnew = () => {
    void diff.refetch();
    void impact.refetch();
    void findings.refetch();
  };
  // Findings are above the changes. If they appeared later, they would push down the text that is being read.
  const isFirstLoad =
    !(diff.data ?? diff.error) || !(impact.data ?? impact.error) || !(findings.data ?? findings.error);
  const isContributor = draft.contributors.some(({ id }) => id === userId);
  // The width must be known in the first render. Otherwise the margin would jump from the side to the top.
  const isNarrow = useMediaQuery('(max-width: 1000px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const hasBar = acting !== undefined;
  // On narrow pages, the margin is folded, so the main action is in the bar.
  const merge =
    isNarrow && isReady && hasBar
      ? { label: `Merge as v${draft.nextVersion}`, onMerge: () => setAsking('merge') }
      : null;
  const side = (
    <ReviewSide
      draft={draft}
      isStale={isStale}
      impact={impact.data}
      impactError={impact.error && !impact.data ? errorSentence(impact.error, 'Failed to load the impact') : null}
      onImpactRetry={() => void impact.refetch()}
      titleOf={titleOf}
      actions={actions}
      isFolded={isNarrow}
      now={commenting.now}
      onSubmit={() => ask('submit')}
      onMerge={merge ? null : () => setAsking('merge')}
      onEmergency={() => ask('emergency')}
      onSetAside={(objection) => ask({ setAside: objection })}
    />
  );

  const approval = approvalOf(draft, userId);
  const whose = choices.length > 1 && (
    <SegmentedControl
      label="Review for"
      value={onBehalfOf?.id ?? ''}
      options={choices.map(({ onBehalfOf: person }) => ({ value: person?.id ?? '', label: person?.name ?? 'Myself' }))}
      onChange={(id) => setWantedDelegator(id === '' ? null : id)}
    />
  );

  return (
    <>
      <ReviewHeader draft={draft} now={commenting.now} />
      <ReviewNotes
        draft={draft}
        canReview={useCan('draft.review')}
        userId={userId}
        provedBy={provedBy}
        isReviewWithheld={useIsWithheld('draft.review')}
        isStale={isStale}
        isLoading={diff.isFetching}
        onShow={showAnew}
      />
      {isFirstLoad ? (
        <SkeletonRows rows={6} label="Loading the changes" />
      ) : (
        <>
          {findings.data ? (
            <FindingsBand findings={findings.data} isMerged={draft.merged !== null} onStep={showStep} />
          ) : (
            <FindingsError
              sentence={errorSentence(findings.error, 'An error occurred')}
              onRetry={() => void findings.refetch()}
            />
          )}
          {!draft.merged && <AddressWarnings warnings={impact.data?.warnings ?? []} />}
          {!draft.merged && <ContentFindings draft={read} />}
          <div className={reviewScreenStyles.reviewCols}>
            <div>
              {isNarrow && side}
              <DiffSummary
                summary={diff.data?.summary ?? null}
                unchanged={list?.unchanged ?? 0}
                against={against}
                options={options}
                onCompare={setWanted}
                keys={{ on: keys.on, onToggle: keys.toggle, onStep: (by) => focusChange(changes.current, by) }}
              />
              {diff.data && <ReviewFlows draft={read} against={diff.data.against} />}
              <div ref={changes} aria-busy={diff.isPlaceholderData}>
                {list && diff.data ? (
                  <>
                    {diff.data.total === 0 && Object.keys(diff.data.metadata).length === 0 && (
                      <NoChanges against={against} />
                    )}
                    <Changes
                      list={list}
                      metadata={diff.data.metadata}
                      byStep={threads.byStep}
                      commenting={commenting}
                      titleOf={titleOf}
                      steps={known}
                      onShowAll={limit < MANY ? () => setLimit(MANY) : null}
                      isLoadingMore={diff.isPlaceholderData}
                    />
                  </>
                ) : (
                  <ErrorState title="Failed to get diff" onRetry={() => void diff.refetch()}>
                    {errorSentence(diff.error, 'An error occurred')}
                  </ErrorState>
                )}
              </div>
              <Discussion general={threads.general} reviews={draft.reviews} commenting={commenting} />
            </div>
            {!isNarrow && (
              <aside
                className={classNames(reviewScreenStyles.reviewSide, reviewSideStyles.reviewSide)}
                aria-label="Merge and impact"
              >
                {side}
              </aside>
            )}
          </div>
        </>
      )}
      <div ref={bar}>
        {hasApproved && (
          <ApprovedBar
            who={whose}
            words={approvedWords(approval, userId)}
            at={approval?.at ?? draft.updatedAt}
            now={commenting.now}
            isUndoing={actions.taking === 'withdraw-approval'}
            error={actions.stepProblem}
            merge={merge}
            onUndo={() => actions.take({ do: 'withdraw-approval', onBehalfOf: onBehalfOf?.id })}
          />
        )}
        {hasBar && !hasApproved && (
          <ReviewBar
            who={whose}
            actsFor={onBehalfOf?.name ?? null}
            busy={actions.deciding}
            error={actions.decisionProblem}
            approvalRefusal={
              acting?.approve
                ? undefined
                : onBehalfOf
                  ? (acting?.because?.sentence ?? `An approval for ${isolated(onBehalfOf.name)} doesn’t count`)
                  : 'Your approval doesn’t count for this draft'
            }
            disabledReason={
              hasReadAll
                ? undefined
                : isStale
                  ? 'Review the latest changes first'
                  : 'Wait until the changes have loaded'
            }
            merge={merge}
            isReady={isReady}
            comment={actions.comment}
            onComment={actions.setComment}
            onDecide={(verdict) =>
              verdict === 'approve' ? setAsking('approve') : actions.decide(verdict, onBehalfOf?.id)
            }
          />
        )}
      </div>
      <ReviewDialogs
        asking={asking}
        draft={draft}
        isSelfApproval={isContributor && onBehalfOf === null}
        actsFor={onBehalfOf}
        impact={impact.data}
        actions={actions}
        onClose={() => setAsking('nothing')}
      />
    </>
  );
}

/** The draft at the time when its changes were loaded, so that everything on the page is consistent. */
function useDraftAsRead(draft: WholeDraft, revision: number | undefined): WholeDraft {
  const [read, setRead] = useState(draft);
  const isCurrent = revision === undefined || revision === draft.revision;
  if (isCurrent && read.steps !== draft.steps) setRead(draft);
  return isCurrent ? draft : read;
}

/** The steps that the draft removes, as far as they are loaded, followed by its own. */
function useKnownSteps({ steps }: WholeDraft, diff: Diff | undefined): readonly Step[] {
  return useMemo(() => {
    const removed = (diff?.detailed ?? []).flatMap(({ type, value }) =>
      type === 'removed' && isStep(value) ? [value] : [],
    );
    return [...removed, ...steps];
  }, [steps, diff]);
}

const isStep = (value: unknown): value is Step =>
  typeof value === 'object' && value !== null && 'title' in value && 'config' in value;

function NoChanges({ against }: { against: Against }) {
  return (
    <p className={classNames('md', reviewScreenStyles.noChanges)}>
      {against === 'approved' || against === 'reviewed'
        ? 'Nothing has changed since then.'
        : 'No Changes - The workflow is identical to the original version.'}
    </p>
  );
}
