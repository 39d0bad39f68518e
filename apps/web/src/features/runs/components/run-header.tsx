import type { Run } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { Ban, Pause, Play } from 'lucide-react';
import { Link } from 'react-router';
import { emergencyTone, emergencyWords } from '../../../lib/format/emergency-words.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge, StatusBadge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Duration } from '../../../ui/moment.tsx';
import { Note } from '../../../ui/note.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { SlaSummary } from '../../../ui/sla-badge.tsx';
import { runShortId } from '../../../lib/format/run-short-id.ts';
import { progressText, stepSegments } from '../model/run-segments.ts';
import { runTitle } from '../model/run-title.ts';
import type { RunActions } from './use-run-actions.ts';
import { usePresence } from '../../../lib/events/live-updates.tsx';
import { PeopleHere } from '../../../ui/people-here.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { WhyLate } from './why-late.tsx';
import styles from './run-header.module.css';

type RunHeaderProps = {
  run: Run;
  /** The server's time in milliseconds. */
  now: number;
  actions: RunActions;
};

export function RunHeader({ run, now, actions }: RunHeaderProps) {
  const people = usePresence(run.id);
  return (
    <section className={classNames('sheet', styles.runHead)} aria-label="Run">
      <div className={styles.top}>
        <div className={classNames('grow', styles.what)}>
          <div className={classNames('row', styles.aboutRow)}>
            <StatusBadge status={run.status} />
            <span className="mono muted">{runShortId(run.id)}</span>
            <Priority level={run.priority} />
            {run.emergency && <Badge tone={emergencyTone(run.emergency)}>{emergencyWords(run.emergency)}</Badge>}
            <PeopleHere people={people} />
          </div>
          <h1 className="title">{runTitle(run)}</h1>
          <p>
            {isolated(run.workflow.title || run.workflowKey)}, on <VersionLink run={run} />
          </p>
          <WhyLate run={run} now={now} />
          {run.description && <p className={classNames('two', styles.about)}>{run.description}</p>}
          {run.restartOf && (
            <Note className={styles.note} tone="warn">
              Started over: <Link to={paths.run(run.restartOf.runId)}>{isolated(run.restartOf.name)}</Link> was rejected
              {run.restartOf.isFailed ? ' ' : ', and the person who started this run cancelled it '}
              <RelativeTime at={run.restartOf.cancelledAt} now={now} />.
            </Note>
          )}
        </div>
        <div className={styles.actions}>
          <ButtonLink to={paths.runs} tone="quiet">
            Back to Runs
          </ButtonLink>
          <ButtonLink to={paths.workflows()} tone="quiet">
            Back to Workflows
          </ButtonLink>
          {run.abilities.cancel && (
            <Button tone="quiet-danger" icon={Ban} onClick={() => actions.ask({ for: 'cancel' })}>
              Cancel run
            </Button>
          )}
          {/* Pause and Resume are one button with two labels, so that the button keeps the focus. */}
          {run.abilities.pause ? (
            <Button
              icon={Pause}
              busy={actions.pending?.do === 'pause' && 'Pausing…'}
              onClick={() => actions.ask({ for: 'pause' })}
            >
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
      <Segments
        className={styles.segments}
        of={stepSegments(run.steps)}
        completed={run.stepsCompleted}
        label={progressText(run)}
        large
      />
      <div className={styles.figures}>
        <b className={styles.first}>{progressText(run)}</b>
        <span>
          Started{' '}
          <b>
            <RelativeTime at={run.createdAt} now={now} finest="hours" />
          </b>
        </span>
        <span>
          Duration{' '}
          <b>
            <Duration ms={run.durationMs} />
          </b>
        </span>
        <span>
          <b>{run.stepsTotal}</b> {run.stepsTotal === 1 ? 'step' : 'steps'}, <b>{run.currentStepIds.length}</b> active
        </span>
        <SlaSummary state={run.slaState} />
      </div>
    </section>
  );
}

function VersionLink({ run }: { run: Pick<Run, 'workflowKey' | 'workflowVersion'> }) {
  return (
    <Link to={paths.document(run.workflowKey, { version: run.workflowVersion })} title="Read this version">
      v{run.workflowVersion}
    </Link>
  );
}
