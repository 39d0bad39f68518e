import type { RunStatus } from '@stet/domain/runs';
import type { RunStep } from '@stet/contract';
import { dueInWords } from '@stet/presentation/duration-in-words';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Moment } from '../../../ui/moment.tsx';
import { SlaBadge } from '../../../ui/sla-badge.tsx';
import { StepType } from '../../../step-types/step-type.tsx';
import styles from './step-card.module.css';

type StepCardProps = {
  step: RunStep;
  /** The server's time in milliseconds. */
  now: number;
  /** In a paused run, the clock is shown as stopped. The reader's steps are highlighted only in a running run. */
  runStatus: RunStatus;
  children: ReactNode;
};

/** One open step with its title, its due time, and the panel to act on it. */
export function StepCard({ step, now, runStatus, children }: StepCardProps) {
  const title = useId();
  return (
    <article
      className={classNames(
        styles.stepCard,
        step.state === 'failed' && styles.failed,
        runStatus !== 'running' && styles.still,
        !isMine(step) && styles.others,
      )}
      aria-labelledby={title}
      data-step-id={step.id}
    >
      <div className={styles.stepHead}>
        <h3 id={title}>{step.title}</h3>
        <StepType type={step.type} small />
        <span className={styles.meta}>
          {step.simulated && (
            <Badge className={styles.badge} tone="warn">
              Simulated
            </Badge>
          )}
          {step.state === 'failed' ? (
            <Badge className={styles.badge} tone="fail">
              Failed
            </Badge>
          ) : (
            <StepDue step={step} now={now} isPaused={runStatus === 'paused'} />
          )}
        </span>
      </div>
      {step.description && <p className={styles.stepTask}>{step.description}</p>}
      {children}
    </article>
  );
}

/** Whether the reader can complete, decide or retry the step, without acting on behalf of someone. */
const isMine = ({ abilities: { complete, approve, reject, retry } }: RunStep): boolean =>
  complete || approve || reject || retry;

function StepDue({ step, now, isPaused }: Pick<StepCardProps, 'step' | 'now'> & { isPaused: boolean }) {
  if (!step.dueAt) return null;
  return (
    <SlaBadge state={step.slaState}>
      {isPaused ? 'SLA clock stopped' : <Moment at={step.dueAt}>{dueInWords(Date.parse(step.dueAt), now)}</Moment>}
    </SlaBadge>
  );
}
