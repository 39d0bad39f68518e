import { Readable } from 'node:stream';
import type { WorkflowInsights } from '@stet/contract';
import { MEASURES } from '@stet/domain/insights';
import { csvLine } from '@stet/presentation/csv';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { findCountedWorkflow, listCountedWorkflows } from './cells.sql.ts';
import { readPeriod } from './period.ts';
import { type FindingCursor, readFindings, readInsights } from './read-insights.ts';
import { type ReviewCursor, readFinishedReviews, readReviewsByWorkflow } from './read-reviews.ts';
import { readWorkflow } from './read-workflow.ts';

const PAGE = 500;

type Cells = readonly (string | number | null)[];
// The byte order mark makes spreadsheets read the file as UTF-8.
const fileOf = (lines: readonly Cells[]): string =>
  `\u{feff}${lines.map((cells) => csvLine(cells.map((cell) => String(cell ?? '')))).join('')}`;
const named = (name: string) => ({ 'content-disposition': `attachment; filename="${name}.csv"` });

function recordExport(tx: Tx, actor: OrgActor, data: Record<string, unknown>): void {
  appendAudit(tx, [
    {
      ...auditActor(actor),
      action: 'organization.runs_exported',
      subject: { type: 'organization', id: actor.orgId },
      data: { format: 'csv', ...data },
    },
  ]);
}

export const exportInsights: Handler<'GET /api/workflows/{key}/insights.csv'> = async (
  { db },
  { actor, params, query },
) => {
  const insights = await db.transaction(actor, async (tx) => {
    const found = await readInsights(tx, actor.orgId, params.key, query);
    recordExport(tx, actor, { insights: params.key, filter: query });
    return found;
  });
  return answer(Buffer.from(fileOf(figureLines(insights))), named(`insights-${params.key}`));
};

/** Writes one line for each figure, with the number of runs, completions or steps from which it was computed. */
function figureLines({ asOf, from, to, runs, weeks, versions, steps, paths, load }: WorkflowInsights): Cells[] {
  const groups: [string, string | number, RunFigures][] = [
    ['All runs', '', runs],
    ...weeks.map((each): [string, string, RunFigures] => ['Week', each.week, each]),
    ...versions.map((each): [string, number, RunFigures] => ['Version', each.version, each]),
  ];
  return [
    ['Part', 'Name', 'Figure', 'Value', 'Unit', 'Counted'],
    ['Period', `${from} to ${to}`, 'As of', asOf, '', ''],
    ...groups.flatMap(([part, name, figures]) => [
      [part, name, 'Started', figures.started, 'runs', figures.started],
      [part, name, 'Completed', figures.completed, 'runs', figures.completed],
      ...timeLines(part, name, figures),
    ]),
    ...steps.flatMap((step) => [
      ...(
        ['runs', 'visits', 'completed', 'skipped', 'failed', 'returned', 'sentBack', 'handedOver', 'bypassed'] as const
      ).map((name): Cells => [
        'Step',
        step.title,
        COUNT_WORDS[name],
        step[name],
        '',
        name in step.inRuns ? step.inRuns[name as keyof typeof step.inRuns] : step.runs,
      ]),
      ['Step', step.title, 'Runs in which it was late', step.inRuns.late, 'runs', step.runs],
      ...timeLines('Step', step.title, step),
    ]),
    ...paths.listed.map(({ stepIds, runs: count }): Cells => [
      'Path',
      stepIds.join(' > '),
      'Runs',
      count,
      'runs',
      paths.runs,
    ]),
    ...load.flatMap(({ who, week, arrived, done }): Cells[] => [
      ['Load', who, `Arrived in the week of ${week}`, arrived, 'steps', arrived],
      ['Load', who, `Done in the week of ${week}`, done, 'steps', done],
    ]),
  ];
}

const COUNT_WORDS = {
  runs: 'Runs',
  visits: 'Times active',
  completed: 'Times completed',
  skipped: 'Times skipped',
  failed: 'Times failed',
  returned: 'Times returned to',
  sentBack: 'Times sent back (rejected or returned)',
  handedOver: 'Times handed over',
  bypassed: 'Runs on another branch',
} as const;

type Timed = Pick<WorkflowInsights['runs'], 'times' | 'sla'>;
type RunFigures = Timed & { started: number; completed: number };

function timeLines(part: string, name: string | number, { times, sla }: Timed): Cells[] {
  return [
    [part, name, 'SLA kept', sla.kept, '', sla.timed],
    ...MEASURES.flatMap((measure): Cells[] => [
      [part, name, `Median ${MEASURE_WORDS[measure]}`, times[measure].p50, 'seconds', times.count],
      [part, name, `90th percentile ${MEASURE_WORDS[measure]}`, times[measure].p90, 'seconds', times.count],
    ]),
  ];
}

const MEASURE_WORDS = {
  calendar: 'time',
  working: 'working time',
  waiting: 'time until first action',
  handling: 'time from first action',
} as const;

/** Exports all findings page by page, because there can be very many. */
export const exportConformance: Handler<'GET /api/workflows/{key}/conformance.csv'> = async (
  { db },
  { actor, params: { key }, query },
) => {
  const { orgId } = actor;
  const period = await db.transaction(actor, async (tx) => {
    const workflow = await tx.maybeOne(findCountedWorkflow, { orgId, key });
    if (!workflow) throw new Refused({ code: 'not_found', what: 'workflow' });
    const found = await readPeriod(tx, orgId, query);
    recordExport(tx, actor, { conformance: key, filter: query });
    return found;
  });
  const pages = async function* (): AsyncGenerator<string> {
    yield fileOf([['Finding', 'At', 'Run', 'Run Name', 'Step', 'Step Title', 'Version']]);
    let after: FindingCursor | null = null;
    do {
      const at: FindingCursor | null = after;
      const page: Awaited<ReturnType<typeof readFindings>> = await db.transaction(actor, (tx) =>
        readFindings(tx, orgId, key, period, query, { limit: PAGE, after: at }),
      );
      yield page.findings
        .map(({ kind, at: when, run, step, version }) =>
          csvLine([kind, when, run.id, run.name, step.id, step.title, String(version)]),
        )
        .join('');
      after = page.next;
    } while (after);
  };
  return answer(Readable.from(pages()), named(`conformance-${key}`));
};

/** Exports all finished reviews page by page. */
export const exportReviews: Handler<'GET /api/workflows/{key}/insights/reviews.csv'> = async (
  { db },
  { actor, params: { key }, query },
) => {
  const { orgId } = actor;
  const { version = null } = query;
  const period = await db.transaction(actor, async (tx) => {
    await readWorkflow(tx, orgId, key, version || null);
    const found = await readPeriod(tx, orgId, query);
    recordExport(tx, actor, { reviews: key, filter: query });
    return found;
  });
  const pages = async function* (): AsyncGenerator<string> {
    yield fileOf([['Draft', 'Title', 'Version', 'Submitted', 'Decided', 'Decision', 'Seconds']]);
    let after: ReviewCursor | null = null;
    do {
      const at: ReviewCursor | null = after;
      const { page, next }: Awaited<ReturnType<typeof readFinishedReviews>> = await db.transaction(actor, (tx) =>
        readFinishedReviews(tx, orgId, key, period, version, { limit: PAGE, after: at }),
      );
      yield page
        .map((review) =>
          csvLine([
            review.draftId,
            review.title ?? '',
            String(review.version ?? ''),
            review.submittedAt,
            review.decidedAt,
            review.decision,
            String(review.seconds),
          ]),
        )
        .join('');
      after = next;
    } while (after);
  };
  return answer(Readable.from(pages()), named(`reviews-${key}`));
};

export const exportOverview: Handler<'GET /api/insights/overview.csv'> = async ({ db }, { actor, query }) => {
  const { orgId } = actor;
  const [workflows, reviews] = await db.transaction(actor, async (tx) => {
    const period = await readPeriod(tx, orgId, query);
    recordExport(tx, actor, { insights: 'all workflows', filter: query });
    return Promise.all([
      tx.many(listCountedWorkflows, { orgId, from: period.first, to: period.last }),
      readReviewsByWorkflow(tx, orgId, period),
    ]);
  });
  const counted = new Map(workflows.map((workflow) => [workflow.key, workflow]));
  const reviewed = new Map(reviews.map((workflow) => [workflow.key, workflow]));
  const keys = [...new Set([...counted.keys(), ...reviewed.keys()])].toSorted();
  return answer(
    Buffer.from(
      fileOf([
        [
          'Workflow Key',
          'Workflow',
          'Started',
          'Ended',
          'Completed',
          'With SLA',
          'SLA Kept',
          'Findings',
          'Finished Reviews',
          'Median Review (seconds)',
          '90th Percentile Review (seconds)',
        ],
        ...keys.map((key): Cells => {
          const {
            title,
            started = 0,
            ended = 0,
            completed = 0,
            timed = 0,
            kept = 0,
            findings = 0,
          } = counted.get(key) ?? {};
          const review = reviewed.get(key);
          return [
            key,
            title ?? review?.title ?? '',
            started,
            ended,
            completed,
            timed,
            kept,
            findings,
            review?.finished ?? 0,
            review?.p50 ?? null,
            review?.p90 ?? null,
          ];
        }),
      ]),
    ),
    named('insights'),
  );
};
