import type { Run } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { Ban, Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatMinutes } from '../../../lib/format/duration.ts';
import { emergencyTone, emergencyWords } from '../../../lib/format/emergency-words.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge, StatusBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { SlaSummary } from '../../../ui/sla-badge.tsx';
import { progressText, stepSegments } from '../model/run-segments.ts';
import { PeopleHere } from './people-here.tsx';
import type { RunActions } from './use-run-actions.ts';
import './run-header.css';

type RunHeaderProps = {
  run: Run;
  /** The server's clock in milliseconds. */
  now: number;
  title: string;
  /** Beside the state: the run's id. */
  id: ReactNode;
  /** Under the title: what it is a run of. */
  of: ReactNode;
  /** Where else to go. */
  ways: ReactNode;
  counts: ReactNode;
  actions: RunActions;
  onPause: () => void;
  /** Absent: this screen doesn't offer it. */
  onCancel?: () => void;
};

/** Title, state, progress and figures of a run, and what may be done to the whole of it. */
export function RunHeader({ run, now, title, id, of, ways, counts, actions, onPause, onCancel }: RunHeaderProps) {
  return (
    <section className="sheet run-head" aria-label="Run">
      <div className="top">
        <div className="grow">
          <div className="row about-row">
            <StatusBadge status={run.status} />
            {id}
            <Priority level={run.priority} />
            {run.emergency && <Badge tone={emergencyTone(run.emergency)}>{emergencyWords(run.emergency)}</Badge>}
            <PeopleHere runId={run.id} />
          </div>
          <h1 className="title">{title}</h1>
          <p>{of}</p>
          {run.description && <p className="two about">{run.description}</p>}
          {run.restartOf && (
            <Note tone="warn">
              Started over: <Link to={paths.run(run.restartOf.runId)}>{isolated(run.restartOf.name)}</Link> was
              rejected, and whoever started this run cancelled it{' '}
              <RelativeTime at={run.restartOf.cancelledAt} now={now} finest="hours" />.
            </Note>
          )}
        </div>
        <div className="acts">
          {ways}
          {onCancel && run.abilities.cancel && (
            <Button tone="quiet-danger" icon={Ban} onClick={onCancel}>
              Cancel run
            </Button>
          )}
          {/* One button in two forms, so that it keeps the focus. */}
          {run.abilities.pause ? (
            <Button icon={Pause} busy={actions.pending?.do === 'pause' && 'Pausing…'} onClick={onPause}>
              Pause
            </Button>
          ) : (
            run.abilities.resume && (
              <Button
                icon={Play}
                busy={actions.pending?.do === 'resume' && 'Resuming…'}
                onClick={() => actions.change({ do: 'resume' })}
              >
                Resume
              </Button>
            )
          )}
        </div>
      </div>
      <Segments of={stepSegments(run.steps)} completed={run.stepsCompleted} label={progressText(run)} large />
      <div className="figures">
        <b className="first">{progressText(run)}</b>
        <span>
          Started{' '}
          <b>
            <RelativeTime at={run.createdAt} now={now} finest="hours" />
          </b>
        </span>
        <span>
          Duration <b>{formatMinutes(run.durationMs)}</b>
        </span>
        <span>{counts}</span>
        <SlaSummary state={run.slaState} />
      </div>
    </section>
  );
}
