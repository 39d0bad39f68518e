import { isolated } from '@stet/domain/workflows';
import type { RunStep } from '@stet/contract';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../../lib/session/signed-in.ts';
import { useContractForm } from '../../lib/forms/use-contract-form.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Who } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { useErrorToast } from '../../ui/toast.ts';
import { COMMENTS } from './typed.ts';
import { BecauseNote } from './because-note.tsx';
import { Marks } from './marks.tsx';
import { RejectionNote } from './rejection-note.tsx';
import { SkipVotes } from './skip-votes.tsx';
import { StepActions } from './step-actions.tsx';
import type { StepPanelProps } from './step-panel-props.ts';
import { SlaText } from '../../ui/sla-badge.tsx';
import styles from './step-panel.module.css';

const verdictSchema = async () =>
  (await import('@stet/contract/runs')).runRoutes['POST /api/runs/{id}/steps/{stepId}/reject'].body;

/** Votes on an approval step, or on the input of a manual step. */
export function VotePanel(props: StepPanelProps) {
  const { step, actsAs, typed, onType, pending, error, onChange, onSkip, onAsk } = props;
  const { withNames } = usePeople();
  const { approve, reject } = step.abilities;
  const isOfInput = step.submittedBy !== null;
  const isStandIn = !isOfInput && (step.actsFor === 'too_few' || step.actsFor === 'overdue');
  const lackingSentence = isStandIn ? 'Give a reason for deciding for them' : 'Comments are required when rejecting';
  const form = useContractForm<{ comments: string; verdict: 'approve' | 'reject' | null }, unknown>({
    schema: verdictSchema,
    // Typed input is stored outside the form, so that every screen that shows the step has it.
    initial: { comments: typed[COMMENTS] ?? '', verdict: null },
    body: ({ comments }) => ({ comments: comments.trim() }),
    rules: ({ comments, verdict }) =>
      comments.trim() === '' && (verdict === 'reject' || (verdict === 'approve' && isStandIn))
        ? { comments: lackingSentence }
        : {},
    places: { comments_required: 'comments', stand_in_reason_required: 'comments' },
    failed: '',
    send: async (_, { comments, verdict }) =>
      verdict && onChange({ do: verdict, stepId: step.id, comments: comments.trim() }),
  });
  const comments = form.field('comments');

  const isLacking = comments.value.trim() === '';
  // Each failed attempt is a new cause, so it shows a new toast. The toast is removed once there is a comment.
  const [refused, setRefused] = useState<object | null>(null);
  useErrorToast(isLacking ? refused : null, 'Comments Required', step.title, 'warn');
  const sendReject = (element: HTMLFormElement | null) => {
    if (!element) return;
    setRefused(isLacking ? {} : null);
    form.change({ verdict: 'reject' });
    form.submitFrom(element);
  };
  return (
    <form
      className={styles.stepPanel}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!approve) return;
        form.change({ verdict: 'approve' });
        form.submitFrom(event.currentTarget);
      }}
    >
      {!isOfInput && step.reason && <Note tone="warn">Returned: {step.reason}</Note>}
      <RejectionNote rejection={step.rejection} />
      {isStandIn && (approve || reject) && <Note tone="warn">{standInWords(step, withNames)}</Note>}
      {step.approvals && <Votes approvals={step.approvals} />}
      <SkipVotes skip={step.skip} />
      {(approve || reject) && (
        <Field label="Comments" labelHidden error={comments.error}>
          {(control) => (
            <Input
              {...control}
              placeholder={isStandIn ? 'Reason for deciding for them' : 'Comments (required to reject)'}
              maxLength={20_000}
              value={comments.value}
              onBlur={comments.onBlur}
              onChange={({ target }) => {
                comments.onChange(target.value);
                onType(COMMENTS, target.value);
              }}
            />
          )}
        </Field>
      )}
      {error && !comments.error ? <Note tone="bad">{error}</Note> : <BecauseNote because={step.because} />}
      <StepActions step={step} onSkip={onSkip} onAsk={onAsk} holding={props}>
        {approve && (
          <Button type="submit" tone="primary" icon={Check} busy={pending === 'approve' && 'Approving…'}>
            {actsAs === null ? 'Approve' : `Approve for ${isolated(actsAs)}`}
          </Button>
        )}
        {reject && (
          <Button
            tone="danger"
            busy={pending === 'reject' && 'Rejecting…'}
            onClick={(event) => sendReject(event.currentTarget.form)}
          >
            {actsAs === null ? 'Reject' : `Reject for ${isolated(actsAs)}`}
          </Button>
        )}
      </StepActions>
    </form>
  );
}

function standInWords({ assignedTo, actsFor }: RunStep, withNames: (text: string) => string): string {
  const why = actsFor === 'overdue' ? 'it is long overdue' : 'too few of the assignees can';
  return `This step is assigned to ${isolated(withNames(assignedTo ?? 'others'))}. You can decide for them, because ${why}. Give a reason; they will be notified.`;
}

function Votes({ approvals }: { approvals: NonNullable<RunStep['approvals']> }) {
  const { id } = useUser();
  const { required, votes } = approvals;
  const missing = required - votes.length;
  return (
    <div className={styles.votes}>
      <b className="med">
        {votes.length} of {required} {required === 1 ? 'approval' : 'approvals'}
      </b>
      {votes.map(({ by, comments, actsFor, marks, addedBy }) => (
        <span key={by.id} className={styles.vote}>
          <Who name={by.id === id ? `${isolated(by.name)} (you)` : by.name} />
          {by.onBehalfOf && <>for {isolated(by.onBehalfOf.name)}</>}
          <SlaText state="on_track">
            <Icon of={Check} size="s" /> approved{actsFor && ' for the assignees'}
          </SlaText>
          {comments && <q>{comments}</q>}
          <Marks marks={marks} addedBy={addedBy} />
        </span>
      ))}
      {missing > 0 && <span className="muted">waiting for {missing === 1 ? 'one' : missing} more</span>}
    </div>
  );
}
