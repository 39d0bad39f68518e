import type { RunStatus, RunStep } from '@stet/contract';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { formatDue } from '../../../lib/format/duration.ts';
import { formatExact } from '../../../lib/format/time.ts';
import { Badge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { SlaBadge } from '../../../ui/sla-badge.tsx';
import { StepType } from '../../../ui/step-type.tsx';
import './step-card.css';

type StepCardProps = {
  step: RunStep;
  /** The server's clock, in milliseconds. */
  now: number;
  /** A paused run's clocks stand still, and only a running one takes what is done in its steps. */
  runStatus: RunStatus;
  children: ReactNode;
};

/** One open step: what it is, when it is due, and the panel to act in. */
export function StepCard({ step, now, runStatus, children }: StepCardProps) {
  const title = useId();
  return (
    <article
      className={classNames(
        'step-card',
        step.state === 'failed' && 'failed',
        runStatus !== 'running' && 'still',
        !isMine(step) && 'others',
      )}
      aria-labelledby={title}
      data-step-id={step.id}
    >
      <div className="step-head">
        <h3 id={title}>{step.title}</h3>
        <StepType type={step.type} small />
        <span className="meta">
          {step.simulated && <Badge tone="warn">Simulated</Badge>}
          {step.state === 'failed' ? (
            <Badge tone="fail">Failed</Badge>
          ) : (
            <StepDue step={step} now={now} isPaused={runStatus === 'paused'} />
          )}
        </span>
      </div>
      {step.description && <p className="step-task">{step.description}</p>}
      {children}
    </article>
  );
}

/** Whether it stands out: the person who looks can bring it on. */
const isMine = ({ abilities: { complete, approve, reject, retry } }: RunStep): boolean =>
  complete || approve || reject || retry;

function StepDue({ step, now, isPaused }: Pick<StepCardProps, 'step' | 'now'> & { isPaused: boolean }) {
  if (!step.dueAt) return null;
  const dueAt = Date.parse(step.dueAt);
  return (
    <span title={`Due ${formatExact(dueAt)}`}>
      <SlaBadge state={step.slaState}>{isPaused ? 'clock stopped' : formatDue(dueAt, now)}</SlaBadge>
    </span>
  );
}
