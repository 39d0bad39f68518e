import type { Run } from '@stet/contract';
import { usePeople } from '../../../lib/session/use-members.ts';
import { useServerNow } from '../../../lib/use-server-now.ts';
import { SlaText } from '../../../ui/sla-badge.tsx';
import { useRun } from '../api/use-run.ts';
import { lateWords } from '../model/late-words.ts';

const SHOWN_LATE = 2;

/** The first reasons why the run is late or at risk: steps, with the people that they wait for. */
export function WhyLate({ run, now }: { run: Run; now: number }) {
  const { personOf } = usePeople();
  const words = lateWords(run, now, (assignee) => personOf(assignee).name);
  if (words.length === 0) return null;
  const more = words.length - SHOWN_LATE;
  return (
    <SlaText state={run.slaState} style={{ marginTop: 4 }}>
      {words.slice(0, SHOWN_LATE).join(' · ')}
      {more > 0 && ` · ${more} more`}
    </SlaText>
  );
}

/** `WhyLate` for a run in a list. Loads the run first, because lists don't include steps. */
export function WhyListedRunIsLate({ runId }: { runId: string }) {
  const { data: run, dataUpdatedAt } = useRun(runId);
  const now = useServerNow(run, dataUpdatedAt);
  return run ? <WhyLate run={run} now={now} /> : null;
}
