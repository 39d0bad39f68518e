import type { WorkflowInsights } from '@stet/contract';
import {
  type CellKind,
  type Deviation,
  type KeyedCell,
  BLOCK_KINDS,
  DEVIATIONS,
  blocksBetween,
  deviationCounts,
  pathSubject,
  workflowReport,
} from '@stet/domain/insights';
import { doneByNames } from '@stet/domain/access';
import { z } from 'zod';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import {
  listCells,
  listCountedWorkflows,
  listFindings,
  listLateSteps,
  listLoad,
  listPeople,
  listWaitingReviews,
} from './cells.sql.ts';
import { cursorHeader, readCursor } from './cursor.ts';
import { pathId } from './path-id.ts';
import { type InPeriod, type Period, presentPeriod, readPeriod } from './period.ts';
import { readReviewsByWorkflow } from './read-reviews.ts';
import { readWorkflow } from './read-workflow.ts';

type OfWorkflow = InPeriod & { version?: number | undefined };

/**
 * Reads the figures of a workflow. Refuses with `not_found` if the organization has no such workflow or version.
 * Otherwise refuses with `forbidden` if `people` is `refused`.
 */
export async function readInsights(
  tx: Tx,
  orgId: string,
  key: string,
  query: OfWorkflow,
  people: 'split' | 'together' | 'refused' = 'together',
): Promise<WorkflowInsights> {
  const { version = null } = query;
  const workflow = await readWorkflow(tx, orgId, key, version);
  if (people === 'refused') throw new Refused({ code: 'forbidden' });
  const period = await readPeriod(tx, orgId, query);
  const kinds: CellKind[] = ['run', 'step', 'path', 'load', ...(people === 'split' ? (['person'] as const) : [])];
  const cells = await readCells(tx, orgId, key, kinds, period);
  const report = workflowReport(cells, { version, changedWith: workflow.version, hasPeople: people === 'split' });
  const changes = new Map(report.change?.steps.map((change) => [change.stepId, change]));
  const bySteps = new Map(report.steps.map((step) => [step.stepId, step]));
  const names = await readNames(tx, orgId, [...bySteps.values()]);
  return {
    ...presentPeriod(period),
    workflow: { key, title: workflow.title },
    version,
    stepsOf: workflow.version,
    runs: report.runs,
    weeks: report.weeks,
    versions: report.versions,
    steps: workflow.steps.flatMap((step) => {
      const figures = bySteps.get(step.id);
      if (!figures) return [];
      const { people: byPerson, ...rest } = figures;
      return [
        {
          ...rest,
          title: step.title,
          type: step.type,
          doneBy: doneByNames(step).join(', '),
          people:
            byPerson &&
            byPerson
              .map(({ personId, runs, times }) => ({
                person: personId === null ? null : { id: personId, name: names.get(personId) ?? 'Former member' },
                runs,
                times,
              }))
              .toSorted((one, other) => compareNames(one.person?.name, other.person?.name)),
        },
      ];
    }),
    paths: {
      ...report.paths,
      listed: report.paths.listed.map(({ stepIds, runs }) => ({ id: pathId(pathSubject(stepIds)), stepIds, runs })),
    },
    change: report.change && {
      ...report.change,
      steps: workflow.steps.flatMap(({ id, title }) => {
        const change = changes.get(id);
        return change ? [{ ...change, title }] : [];
      }),
    },
    load: report.load,
  };
}

/** The cells of a workflow in a period: by week or, for kinds that aren't shown by week, by week and block. */
async function readCells(
  tx: Tx,
  orgId: string,
  key: string,
  kinds: readonly CellKind[],
  { first, last }: Period,
): Promise<KeyedCell[]> {
  const { from, before } = blocksBetween(first, last);
  return tx.many(listCells, {
    orgId,
    key,
    kinds,
    blockKinds: BLOCK_KINDS,
    from: first,
    to: last,
    blocksFrom: from,
    blocksBefore: before,
  });
}

/** Sorts by name. The line for several people together comes last. */
const compareNames = (one: string | undefined, other: string | undefined): number =>
  one === undefined ? 1 : other === undefined ? -1 : one.localeCompare(other);

async function readNames(
  tx: Tx,
  orgId: string,
  steps: readonly { people: readonly { personId: string | null }[] | null }[],
): Promise<Map<string, string>> {
  const ids = [...new Set(steps.flatMap(({ people }) => people ?? []).flatMap(({ personId }) => personId ?? []))];
  if (ids.length === 0) return new Map();
  return new Map((await tx.many(listPeople, { orgId, ids })).map(({ id, name }) => [id, name]));
}

export const workflowInsights: Handler<'GET /api/workflows/{key}/insights'> = async (
  { db },
  { actor, params, query },
) => {
  const { orgId, permissions } = actor;
  const { people: isSplit = false, ...rest } = query;
  if (isSplit) refuseNarrowing(rest);
  const people = !isSplit ? 'together' : permissions.includes('org.manage') ? 'split' : 'refused';
  return answer(
    await db.transaction(actor, async (tx) => {
      const insights = await readInsights(tx, orgId, params.key, rest, people);
      if (people === 'split') {
        tx.needs('org.manage');
        recordLook(tx, actor, insights);
      }
      return insights;
    }),
  );
};

/**
 * Refuses a period or a version for figures by person. They always cover all versions in the usual period, because the
 * difference between two periods or versions could reveal the figures of a few runs.
 */
function refuseNarrowing(query: OfWorkflow): void {
  const problems = (['from', 'to', 'version'] as const)
    .filter((field) => query[field] !== undefined)
    .map((field) => ({ field, problem: 'Figures by person can’t be limited to a period or version' }));
  if (problems.length > 0) throw new Refused({ code: 'invalid', problems });
}

function recordLook(tx: Tx, actor: OrgActor, { workflow: { key }, version, from, to }: WorkflowInsights): void {
  appendAudit(tx, [
    {
      ...auditActor(actor),
      action: 'organization.person_figures_viewed',
      subject: { type: 'organization', id: actor.orgId },
      data: { key, version, from, to },
    },
  ]);
}

type OfFindings = InPeriod & {
  version?: number | null | undefined;
  kind?: Deviation | null | undefined;
  step?: string | null | undefined;
};

const cursorOf = z.strictObject({
  startedAt: z.iso.datetime(),
  runId: z.uuid(),
  stepId: z
    .string()
    .max(200)
    .refine((id) => !id.includes('\0')),
  kind: z.enum(DEVIATIONS),
  activation: z.int(),
});
export type FindingCursor = z.infer<typeof cursorOf>;

/** A page of findings after the cursor, and the cursor of the next page or null. */
export async function readFindings(
  tx: Tx,
  orgId: string,
  key: string,
  { first, last }: Period,
  { version = null, kind = null, step = null }: OfFindings,
  { limit, after }: { limit: number; after: FindingCursor | null },
) {
  const rows = await tx.many(listFindings, {
    orgId,
    key,
    from: first,
    to: last,
    version,
    kind,
    step,
    limit: limit + 1,
    startedAt: after?.startedAt ?? 'infinity',
    runId: after?.runId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    stepId: after?.stepId ?? '',
    ofKind: after?.kind ?? '',
    activation: after?.activation ?? 0,
  });
  const page = rows.slice(0, limit);
  const final = page.at(-1);
  const next: FindingCursor | null =
    rows.length > limit && final
      ? {
          startedAt: final.started_at_exact,
          runId: final.run_id,
          stepId: final.step_id,
          kind: final.kind as Deviation,
          activation: final.activation,
        }
      : null;
  return {
    next,
    findings: page.map((row) => ({
      kind: row.kind as Deviation,
      at: row.at.toISOString(),
      run: { id: row.run_id, name: row.run_name },
      step: { id: row.step_id, title: row.step_title ?? row.step_id },
      version: row.version,
    })),
  };
}

export const conformance: Handler<'GET /api/workflows/{key}/conformance'> = async (
  { db },
  { actor, params, query },
) => {
  const { orgId } = actor;
  const { key } = params;
  const { limit, cursor, version = null } = query;
  const { body, next } = await db.transaction(actor, async (tx) => {
    const workflow = await readWorkflow(tx, orgId, key, version);
    const after = cursor === undefined ? null : readCursor(cursorOf, cursor);
    const period = await readPeriod(tx, orgId, query);
    const [all, page] = await Promise.all([
      readCells(tx, orgId, key, ['run', 'finding'], period),
      readFindings(tx, orgId, key, period, query, { limit, after }),
    ]);
    const cells = all.filter((cell) => version === null || cell.version === version);
    const titles = new Map(workflow.steps.map((step) => [step.id, step.title]));
    const counts = deviationCounts(cells)
      .filter(({ kind, stepId }) => (!query.kind || kind === query.kind) && (!query.step || stepId === query.step))
      .map(({ kind, stepId, findings }) => ({ kind, stepId, title: titles.get(stepId) ?? stepId, findings }));
    return {
      next: page.next,
      body: {
        ...presentPeriod(period),
        workflow: { key, title: workflow.title },
        version,
        runs: workflowReport(cells, { version, changedWith: null, hasPeople: false }).runs.ended,
        counts,
        findings: page.findings,
      },
    };
  });
  return answer(body, cursorHeader(next));
};

const MAX_LATE_STEPS = 50;
const MAX_REVIEWS = 20;

export const overview: Handler<'GET /api/insights/overview'> = async ({ db }, { actor, query }) => {
  const { orgId } = actor;
  return answer(
    await db.transaction(actor, async (tx) => {
      const period = await readPeriod(tx, orgId, query);
      const between = { orgId, from: period.first, to: period.last };
      const [workflows, load, late, reviews, finishedReviews] = await Promise.all([
        tx.many(listCountedWorkflows, between),
        tx.many(listLoad, between),
        tx.many(listLateSteps, { orgId, limit: MAX_LATE_STEPS }),
        tx.many(listWaitingReviews, { orgId, limit: MAX_REVIEWS }),
        readReviewsByWorkflow(tx, orgId, period),
      ]);
      const sum = (name: 'started' | 'ended' | 'completed' | 'timed' | 'kept'): number =>
        workflows.reduce((total, row) => total + row[name], 0);
      return {
        ...presentPeriod(period),
        runs: {
          started: sum('started'),
          ended: sum('ended'),
          completed: sum('completed'),
          sla: { timed: sum('timed'), kept: sum('kept') },
        },
        workflows: workflows.map(({ timed, kept, ...rest }) => ({ ...rest, sla: { timed, kept } })),
        late: late.map((row) => ({
          key: row.workflow_key,
          title: row.workflow_title,
          stepId: row.step_id,
          stepTitle: row.step_title,
          doneBy: doneByNames({ assignee: row.assignee, config: {} }).join(', '),
          runs: row.runs,
          since: row.since.toISOString(),
        })),
        load,
        reviews: reviews.map(({ key, id, title, since }) => ({ key, draftId: id, title, since: since.toISOString() })),
        finishedReviews,
      };
    }),
  );
};
