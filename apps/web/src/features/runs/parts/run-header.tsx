import type { Run } from '@stet/contract';
import { Ban, Pause, Play } from 'lucide-react';
import { Link } from 'react-router';
import { formatMinutes } from '../../../lib/format/duration.ts';
import { runShortId } from '../../../lib/format/run-short-id.ts';
import { paths } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { SlaSummary } from '../../../ui/sla-badge.tsx';
import type { RunChange } from '../api/use-change-run.ts';
import { progressText, stepSegments } from '../model/run-segments.ts';
import { runTitle } from '../model/run-title.ts';
import './run-header.css';

type RunHeaderProps = {
  run: Run;
  /** What is being done to the run now. */
  pending: RunChange['do'] | null;
  onPause: () => void;
  onResume: () => void;
  onCancel: () => void;
};

/** Title, state, progress and figures of a run, and what may be done to the whole of it. */
export function RunHeader({ run, pending, onPause, onResume, onCancel }: RunHeaderProps) {
  const active = run.currentStepIds.length;
  return (
    <section className="sheet run-head" aria-label="Run">
      <div className="top">
        <div className="grow">
          <div className="row" style={{ marginBottom: 3 }}>
            <StatusBadge status={run.status} />
            <span className="mono muted">{runShortId(run.id)}</span>
            <Priority level={run.priority} />
          </div>
          <h1 className="title">{runTitle(run)}</h1>
          <p>
            {run.workflow.title || run.workflowKey}, on{' '}
            <Link to={paths.review({ key: run.workflowKey, id: String(run.workflowVersion) })}>
              v{run.workflowVersion}
            </Link>
          </p>
          {run.description && <p className="two about">{run.description}</p>}
        </div>
        <div className="acts">
          <ButtonLink to={paths.runs} tone="quiet">
            Back to Runs
          </ButtonLink>
          {run.abilities.cancel && (
            <Button tone="quiet-danger" icon={Ban} onClick={onCancel}>
              Cancel run
            </Button>
          )}
          {run.abilities.pause && (
            <Button icon={Pause} busy={pending === 'pause' && 'Pausing…'} onClick={onPause}>
              Pause
            </Button>
          )}
          {run.abilities.resume && (
            <Button icon={Play} busy={pending === 'resume' && 'Resuming…'} onClick={onResume}>
              Resume
            </Button>
          )}
        </div>
      </div>
      <Segments of={stepSegments(run.steps)} completed={run.stepsCompleted} label={progressText(run)} large />
      <div className="figures">
        <b className="first">{progressText(run)}</b>
        <span>
          Started{' '}
          <b>
            <RelativeTime at={run.createdAt} />
          </b>
        </span>
        <span>
          Duration <b>{formatMinutes(run.durationMs)}</b>
        </span>
        <span>
          <b>{run.stepsTotal}</b> {run.stepsTotal === 1 ? 'step' : 'steps'}, <b>{active}</b> active
        </span>
        <SlaSummary state={run.slaState} />
      </div>
    </section>
  );
}
