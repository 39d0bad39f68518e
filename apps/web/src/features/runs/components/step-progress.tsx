import { giversInWords } from '../../../step-types/run/givers.ts';
import { graphOfVersion } from '@stet/domain/workflows';
import type { Run, RunStep } from '@stet/contract';
import { Check, CircleDashed, SkipForward, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { actorName } from '../../../lib/format/actor-words.ts';
import { formatDateTime, formatExact } from '../../../lib/format/time.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Who } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import type { BadgeTone } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { StepType } from '../../../step-types/step-type.tsx';
import { isSimulatedEnd, logLines, outcomeOf } from '../model/step-outcome.ts';
import { Marks } from '../../../step-types/run/marks.tsx';
import { RejectionNote } from '../../../step-types/run/rejection-note.tsx';
import { OutputLines, ScriptLog } from '../../../step-types/run/step-output.tsx';
import { Condition } from './condition.tsx';
import { SlaText } from '../../../ui/sla-badge.tsx';
import styles from './step-card.module.css';

type StepState = RunStep['state'];

const STATES = {
  completed: { word: 'Completed', tone: 'live', icon: Check },
  skipped: { word: 'Skipped', tone: 'gray', icon: SkipForward },
  active: { word: 'Active', tone: 'run', icon: null },
  pending: { word: 'Pending', tone: 'plain', icon: null },
  blocked: { word: 'Blocked', tone: 'plain', icon: null },
  failed: { word: 'Failed', tone: 'fail', icon: X },
} satisfies Record<StepState, { word: string; tone: BadgeTone; icon: LucideIcon | null }>;

/** A simulated completion must never look like real work, so it is amber and has no check mark. */
const SIMULATED = { word: 'Simulated', tone: 'warn', icon: CircleDashed } as const;

const shownAs = (step: RunStep) => (isSimulatedEnd(step) ? SIMULATED : STATES[step.state]);

type StepProgressProps = {
  run: Pick<Run, 'steps' | 'history' | 'workflow'>;
  /** The server's time in milliseconds. */
  now: number;
  /** Returns a replacement for a step's line, or null to show the line. */
  inPlace?: (step: RunStep) => ReactNode;
};

/** Every step of the run with its status (specification, section 2, run detail: Workflow Progress). */
export function StepProgress({ run, now, inPlace }: StepProgressProps) {
  return (
    <ol className={styles.runSteps}>
      {run.steps.map((step, at) => {
        const { icon } = shownAs(step);
        return (
          <li
            key={step.id}
            data-state={isSimulatedEnd(step) ? 'simulated' : step.state}
            className={classNames(styles[step.state], isSimulatedEnd(step) && styles.simulated)}
          >
            <span className={styles.ix} aria-hidden="true">
              {icon ? <Icon of={icon} size="s" /> : at + 1}
            </span>
            <div>{inPlace?.(step) ?? <StepLine run={run} step={step} now={now} />}</div>
          </li>
        );
      })}
    </ol>
  );
}

function StepLine({ run, step, now }: Pick<StepProgressProps, 'run' | 'now'> & { step: RunStep }) {
  const { word, tone } = shownAs(step);
  return (
    <>
      <div className={styles.stepHead}>
        <h3>{step.title}</h3>
        <StepType type={step.type} small />
        <span className={styles.meta}>
          {step.simulated && step.state !== 'completed' && (
            <Badge className={styles.badge} tone="warn">
              Simulated
            </Badge>
          )}
          {step.state === 'completed' && step.slaState === 'breached' && step.usedShare !== null && (
            <SlaText state="breached">{Math.round(step.usedShare * 100)} % of its SLA</SlaText>
          )}
          <Badge className={styles.badge} tone={tone}>
            <Ended step={step} now={now}>
              {word}
            </Ended>
          </Badge>
        </span>
      </div>
      {step.state !== 'failed' && <RejectionNote rejection={step.rejection} />}
      <Marks marks={step.marks} />
      <div className={styles.pre}>
        <StepRemarks run={run} step={step} />
      </div>
    </>
  );
}

/**
 * The state in words. For a completed step, it is 'Completed 19 Nov, 17:40 by Sam Okafor' (specification, section 2:
 * 'Completed ... by {actor}').
 */
function Ended({ step, now, children: word }: { step: RunStep; now: number; children: string }) {
  if (step.state !== 'completed' || !step.completedAt) return word;
  return (
    <span title={formatExact(step.completedAt)}>
      {`${word === STATES.completed.word ? word : `${word}, completed`} ${formatDateTime(step.completedAt, now)} by ${step.completedBy ? actorName(step.completedBy) : 'system'}${step.completedFor === 'helper' ? ', who helped' : ''}${giversInWords(step)}`}
    </span>
  );
}

function StepRemarks({ run, step }: Pick<StepProgressProps, 'run'> & { step: RunStep }) {
  switch (step.state) {
    case 'completed': {
      const outcome = outcomeOf(step, run);
      return (
        <>
          {outcome && (
            <p>
              {outcome.expression && <Condition of={outcome.expression} run={run} />} {outcome.words}
            </p>
          )}
          {!outcome?.isWholeOutput && <OutputLines step={step} />}
          <ScriptLog lines={logLines(run.history, step.id)} label={`Script of step ${step.title} in the progress`} />
        </>
      );
    }
    case 'skipped':
    case 'failed':
      return step.reason;
    case 'active':
    case 'pending':
    case 'blocked':
      return <Planned run={run} step={step} />;
  }
}

function Planned({ run, step }: Pick<StepProgressProps, 'run'> & { step: RunStep }) {
  const { personOf } = usePeople();
  const after = step.state === 'active' ? [] : graphOfVersion(run.workflow.steps).previous(step.id);
  const rows = after.map((id) => run.steps.findIndex((each) => each.id === id) + 1).filter((row) => row > 0);
  return (
    <>
      <Who {...personOf(step.assignee || 'Unassigned')} />
      {step.sla && `, ${step.sla}`}
      {rows.length > 0 && `, starts after ${rows.length === 1 ? 'step' : 'steps'} ${rows.join(', ')}`}
    </>
  );
}
