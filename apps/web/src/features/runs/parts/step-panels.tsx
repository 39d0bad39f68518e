import type { RunStep } from '@stet/contract';
import { Check, RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { formatClock } from '../../../lib/format/time.ts';
import { Who } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Textarea } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import type { RunChange } from '../api/use-change-run.ts';
import { outputText, panelOf } from '../model/panel-of.ts';
import { StepActions } from './step-card.tsx';

export type StepPanelProps = {
  step: RunStep;
  /** What is being done to this step now. */
  pending: RunChange['do'] | null;
  /** Why the last try on this step failed. */
  error: string | null;
  onChange: (change: RunChange) => void;
  onSkip: () => void;
};

/** What a step asks for, by its type and state. */
export function StepPanel(props: StepPanelProps) {
  const panel = panelOf(props.step);
  switch (panel.kind) {
    case 'input':
      return <InputPanel {...props} />;
    case 'submitted':
      return <SubmittedPanel {...props} by={panel.by} />;
    case 'approval':
      return <VotePanel {...props} />;
    case 'waiting':
      return <WaitingPanel {...props} />;
    case 'failed':
      return <FailedPanel {...props} reason={panel.reason} />;
  }
}

const Refused = ({ error }: { error: string | null }) => error && <Note tone="bad">{error}</Note>;

function InputPanel({ step, pending, error, onChange, onSkip }: StepPanelProps) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '';
  if (!step.abilities.complete) return <Watching step={step} onSkip={onSkip} error={error} />;

  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isEmpty) field.current?.focus();
    else onChange({ do: 'complete', stepId: step.id, text: text.trim() });
  };
  return (
    <form className="step-panel" onSubmit={send} noValidate>
      {step.reason && <Note tone="warn">Returned: {step.reason}</Note>}
      <Field
        label="Your input"
        labelHidden
        error={tried && isEmpty ? 'Please provide input for this manual step' : null}
      >
        {(control) => (
          <Textarea
            {...control}
            ref={field}
            placeholder="What was done, in a line or two"
            maxLength={20_000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Refused error={error} />
      <StepActions step={step} onSkip={onSkip}>
        <Button type="submit" tone="primary" busy={pending === 'complete' && 'Completing…'}>
          Complete
        </Button>
      </StepActions>
    </form>
  );
}

function SubmittedPanel({ by, ...props }: StepPanelProps & { by: string }) {
  const said = outputText(props.step.output);
  return (
    <div className="step-panel">
      <p className="two">{by} has given the input. Another person has to approve it.</p>
      {said && <blockquote>{said}</blockquote>}
      <VotePanel {...props} />
    </div>
  );
}

function VotePanel({ step, pending, error, onChange, onSkip }: StepPanelProps) {
  const [comments, setComments] = useState('');
  const [lacking, setLacking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isEmpty = comments.trim() === '';
  const { approve, reject } = step.abilities;

  const sendReject = () => {
    setLacking(isEmpty);
    if (isEmpty) field.current?.focus();
    else onChange({ do: 'reject', stepId: step.id, comments: comments.trim() });
  };
  return (
    <form
      className="step-panel"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (approve) onChange({ do: 'approve', stepId: step.id, comments: comments.trim() });
      }}
    >
      {step.approvals && <Votes approvals={step.approvals} />}
      {(approve || reject) && (
        <Field label="Comments" labelHidden error={lacking && isEmpty ? 'Comments are required when rejecting' : null}>
          {(control) => (
            <Input
              {...control}
              ref={field}
              placeholder="Comments, needed to reject"
              maxLength={20_000}
              value={comments}
              onChange={(event) => setComments(event.target.value)}
            />
          )}
        </Field>
      )}
      <Refused error={error} />
      <StepActions step={step} onSkip={onSkip}>
        {approve && (
          <Button type="submit" tone="primary" icon={Check} busy={pending === 'approve' && 'Approving…'}>
            Approve
          </Button>
        )}
        {reject && (
          <Button tone="danger" busy={pending === 'reject' && 'Rejecting…'} onClick={sendReject}>
            Reject
          </Button>
        )}
      </StepActions>
    </form>
  );
}

function Votes({ approvals }: { approvals: NonNullable<RunStep['approvals']> }) {
  const missing = approvals.required - approvals.by.length;
  return (
    <div className="votes">
      <b className="med">
        {approvals.by.length} of {approvals.required} {approvals.required === 1 ? 'approval' : 'approvals'}
      </b>
      {approvals.by.map((voter) => (
        <span key={voter.id} className="row">
          <Who name={voter.name} /> <span className="sla on_track">approved</span>
        </span>
      ))}
      {missing > 0 && <span className="muted">waiting for {missing === 1 ? 'one' : missing} more</span>}
    </div>
  );
}

const WAITS = {
  automated: 'Waiting for the server to run it',
  condition: 'Waiting for the server to decide it',
  notification: 'Waiting to be sent',
} as const;

function WaitingPanel({ step, error, onSkip }: StepPanelProps) {
  const what =
    step.type === 'automated' || step.type === 'condition' || step.type === 'notification'
      ? WAITS[step.type]
      : 'Waiting';
  return (
    <div className="step-panel">
      <p className="two">
        {what}
        {step.activatedAt && `, since ${formatClock(step.activatedAt)}`}
      </p>
      <Refused error={error} />
      <StepActions step={step} onSkip={onSkip} />
    </div>
  );
}

function FailedPanel({ step, pending, error, onChange, onSkip, reason }: StepPanelProps & { reason: string }) {
  return (
    <div className="step-panel">
      <Note tone="bad">Step failed: {reason}</Note>
      <Refused error={error} />
      <StepActions step={step} onSkip={onSkip}>
        {step.abilities.retry && (
          <Button
            icon={RefreshCw}
            busy={pending === 'retry' && 'Retrying…'}
            onClick={() => onChange({ do: 'retry', stepId: step.id })}
          >
            Retry
          </Button>
        )}
      </StepActions>
    </div>
  );
}

/** For those who may not act on the step: whose it is, and nothing to press. */
function Watching({ step, error, onSkip }: Pick<StepPanelProps, 'step' | 'error' | 'onSkip'>) {
  return (
    <div className="step-panel">
      <Refused error={error} />
      <StepActions step={step} onSkip={onSkip} />
    </div>
  );
}
