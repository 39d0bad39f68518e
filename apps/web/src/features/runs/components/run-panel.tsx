import { isolated } from '@stet/domain/workflows';
import type { RunSummary } from '@stet/contract';
import { formatDuration } from '@stet/domain/sla';
import { dueInWords } from '@stet/presentation/duration-in-words';
import { runShortId } from '../../../lib/format/run-short-id.ts';
import { paths } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Who } from '../../../ui/avatar.tsx';
import { StatusBadge, statusWord } from '../../../ui/badge.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { SlaBadge } from '../../../ui/sla-badge.tsx';
import { TermHelp } from '../../../ui/term-help.tsx';
import { progressText, summarySegments } from '../model/run-segments.ts';
import { runTitle } from '../model/run-title.ts';
import { assigneeWord } from '../model/waits-for.ts';
import { TrendChart } from './trend-chart.tsx';
import { WhyListedRunIsLate } from './why-late.tsx';

/** The panel next to the list, with the selected run (specification, section 2, runs screen). */
export function RunPanel({ run, onClose }: { run: RunSummary; onClose: () => void }) {
  const title = runTitle(run);
  const { personOf } = usePeople();
  const now = useNow(30_000);
  return (
    <SidePanel
      label={`Run ${title}`}
      onClose={onClose}
      head={
        <>
          <StatusBadge status={run.status} />
          {run.slaState && <SlaBadge state={run.slaState} pill />}
        </>
      }
    >
      <h2>{title}</h2>
      <p className="two">
        <span className="mono">{run.workflowKey}</span>, v{run.workflowVersion}
      </p>
      {(run.slaState === 'breached' || run.slaState === 'at_risk') && <WhyListedRunIsLate runId={run.id} />}
      {run.description && (
        <p className="md two" style={{ marginTop: 8 }}>
          {run.description}
        </p>
      )}
      <div style={{ margin: '16px 0 6px' }}>
        <Segments of={summarySegments(run)} completed={run.stepsCompleted} label={progressText(run)} />
      </div>
      <p className="xs muted">{progressText(run)}</p>
      <dl className="facts" style={{ marginTop: 16 }}>
        <dt>Priority</dt>
        <dd>
          <Priority level={run.priority} />
        </dd>
        <dt>Status</dt>
        <dd>{statusWord(run.status)}</dd>
        <dt>
          SLA target <TermHelp term="sla" />
        </dt>
        <dd>
          <SlaTarget targetMs={run.sla.targetMs} />
        </dd>
        <dt>Started</dt>
        <dd>
          <RelativeTime at={run.createdAt} finest="hours" /> by {isolated(run.startedBy.name)}
        </dd>
        <dt>Run</dt>
        <dd className="mono">{runShortId(run.id)}</dd>
      </dl>
      {run.currentSteps.length > 0 && (
        <>
          <h3>Now</h3>
          <ul className="lines">
            {run.currentSteps.map((step) => (
              <li key={step.id} className="row between">
                <span>
                  {step.name} <SlaBadge state={run.slaStatus.find(({ stepId }) => stepId === step.id)?.state ?? null} />
                </span>
                {step.waitsFor.slice(0, 1).map((name) => (
                  <Who key={name} {...personOf(assigneeWord(name))} />
                ))}
              </li>
            ))}
          </ul>
          {run.dueAt && (
            <p className="xs muted">
              <Moment at={run.dueAt}>{dueInWords(Date.parse(run.dueAt), now)}</Moment>
            </p>
          )}
        </>
      )}
      <h3>Next steps</h3>
      {run.nextSteps.length === 0 ? (
        <p className="muted">None</p>
      ) : (
        <ul className="lines">
          {run.nextSteps.map((step) => (
            <li key={step.id} className="row between">
              <span>{step.name}</span>
              <Who {...personOf(step.owner || 'Unassigned')} />
            </li>
          ))}
        </ul>
      )}
      {run.trend.length > 0 && (
        <>
          <h3>
            Trend <span className="muted xs">share of SLA used per step</span>
          </h3>
          <TrendChart shares={run.trend} />
        </>
      )}
      <div className="row" style={{ marginTop: 20 }}>
        <ButtonLink to={paths.run(run.id)} tone="primary">
          View Details
        </ButtonLink>
        <ButtonLink to={paths.workflowSettings(run.workflowKey)} tone="quiet">
          Escalation
        </ButtonLink>
      </div>
    </SidePanel>
  );
}

function SlaTarget({ targetMs }: { targetMs: number | null }) {
  if (targetMs === null) return <>None</>;
  return (
    <>
      {Math.round(targetMs / 1000)} seconds <span className="muted">({formatDuration(targetMs)})</span>
    </>
  );
}
