import type { DoneTask, Task } from '@stet/contract';
import { type DelegationKind, canDecideSteps } from '@stet/domain/access';
import type { AuditAction } from '@stet/domain/audit';
import { HELPERS, namesOf } from '@stet/domain/runs';
import type { Handlers } from '../../http/handler.ts';
import { type OrgActor, namedPersonOf, peopleOf } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { type Delegator, lentPermissions, listDelegators } from '../delegations/index.ts';
import { uncountedApprovals } from '../runs/index.ts';
import { type DoneRow, type TaskRow, countTasks, listDelegatedTasks, listDone, listTasks } from './tasks.sql.ts';

const MAX_COUNTED = 100;
const FIRST = { due: '-infinity', runId: '00000000-0000-0000-0000-000000000000', stepId: '' };

/**
 * True if the name in a task is that of one person: an address, or the id of someone who started the run or has the
 * step.
 */
const isOnePerson = (name: string): boolean => name.includes('@') || name.startsWith('user:');

/**
 * The names under which tasks wait for the actor. `whose` limits them to the actor's address and id (`me`), or to the
 * actor's role, groups and permissions (`role`).
 */
const waitingFor = (actor: OrgActor, whose?: 'me' | 'role') => ({
  orgId: actor.orgId,
  names: namesOf({ ...actor, id: namedPersonOf(actor).id }).filter(
    (name) => whose === undefined || isOnePerson(name) === (whose === 'me'),
  ),
  people: peopleOf(actor),
  canDecide: canDecideSteps(actor.standing),
  byOwnHand: actor.standing.roleByOwnHand,
});

/** `workflow`: only tasks in runs of the workflow with this key. */
type Page = { limit: number; after: typeof FIRST; workflow?: string | undefined };

/** A task of the actor, or of a delegator who delegated it to them. If it is both, it is listed as the actor's own. */
type ListedTask = TaskRow & { delegator: OrgActor | null };

async function listDelegated(
  tx: Tx,
  actor: OrgActor,
  delegator: Delegator,
  { limit, after, workflow }: Page,
): Promise<ListedTask[]> {
  const { actor: person, delegations } = delegator;
  const pages = await Promise.all(
    delegations.flatMap(({ kinds, workflowKeys }) =>
      kinds.filter(isWorkOnRuns).map(async (kind) => {
        if (workflow !== undefined && workflowKeys && !workflowKeys.includes(workflow)) return [];
        const permissions = lentPermissions(delegator, actor, kind);
        const { names, ...waiting } = waitingFor({ ...person, permissions });
        return tx.many(listDelegatedTasks, {
          ...waiting,
          // A delegate can't help with the steps of others on behalf of the delegator.
          names: names.filter((name) => name !== HELPERS),
          canDecide: waiting.canDecide && canDecideSteps(actor.standing),
          delegates: peopleOf(actor),
          decisions: [kind === 'votes'],
          workflowKeys: workflow === undefined ? workflowKeys : [workflow],
          limit,
          ...cursorOf(after),
        });
      }),
    ),
  );
  return pages.flat().map((row) => ({ ...row, delegator: person }));
}

const isWorkOnRuns = (kind: DelegationKind): boolean => kind !== 'reviews';

const cursorOf = (after: typeof FIRST) => ({ afterDue: after.due, afterRun: after.runId, afterStep: after.stepId });

/**
 * Lists one page of everything that waits for the actor, including delegated tasks if `whose` isn't given. `limit`
 * applies to each source and to the result.
 */
async function listAll(
  tx: Tx,
  actor: OrgActor,
  { whose, ...page }: Page & { whose?: 'me' | 'role' | undefined },
): Promise<ListedTask[]> {
  const [own, delegators] = await Promise.all([
    tx.many(listTasks, {
      ...waitingFor(actor, whose),
      workflowKeys: page.workflow === undefined ? null : [page.workflow],
      limit: page.limit,
      ...cursorOf(page.after),
    }),
    whose === undefined ? listDelegators(tx, actor) : [],
  ]);
  const mine = own.map((row) => ({ ...row, delegator: null }));
  if (delegators.length === 0) return mine;
  const delegated = await Promise.all(delegators.map((delegator) => listDelegated(tx, actor, delegator, page)));
  const byStep = new Map<string, ListedTask>();
  for (const task of [...mine, ...delegated.flat()]) {
    const key = `${task.run_id} ${task.step_id}`;
    if (!byStep.has(key)) byStep.set(key, task);
  }
  return [...byStep.values()].toSorted(byDueTime).slice(0, page.limit);
}

/** The sort key of the statements: due time, run and step. Tasks without a due time come last. */
function byDueTime(one: TaskRow, other: TaskRow): number {
  const [due, otherDue] = [one, other].map(({ due_at: at }) => at?.getTime() ?? Number.MAX_VALUE) as [number, number];
  if (due !== otherDue) return due - otherDue;
  if (one.run_id !== other.run_id) return one.run_id < other.run_id ? -1 : 1;
  return one.step_id < other.step_id ? -1 : 1;
}

export const taskHandlers = {
  'GET /api/tasks': async ({ db }, { actor, query: { limit, cursor, for: whose, workflow } }) => {
    const after = cursor === undefined ? FIRST : readCursor(cursor);
    const { rows, tasks } = await db.transaction(actor, async (tx) => {
      const rows = await listAll(tx, actor, { whose, workflow, limit: limit + 1, after });
      return { rows, tasks: await presentTasks(tx, actor, rows.slice(0, limit)) };
    });
    const last = rows.slice(0, limit).at(-1);
    return answer(tasks, rows.length > limit && last ? { 'x-next-cursor': writeCursor(last) } : {});
  },

  'GET /api/tasks/count': async ({ db }, { actor }) =>
    db.transaction(actor, async (tx) => {
      const [counted, delegators] = await Promise.all([
        tx.maybeOne(countTasks, { ...waitingFor(actor), most: MAX_COUNTED }),
        listDelegators(tx, actor),
      ]);
      if (delegators.length === 0)
        return answer({
          count: counted?.count ?? 0,
          overdue: counted?.overdue ?? 0,
          nextDueAt: counted?.next_due_at?.toISOString() ?? null,
          reviewsForOthers: false,
        });
      const all = await listAll(tx, actor, { limit: MAX_COUNTED, after: FIRST });
      return answer({
        count: all.length,
        overdue: all.filter(({ due_at: due, now }) => due !== null && due < now).length,
        nextDueAt: all[0]?.due_at?.toISOString() ?? null,
        reviewsForOthers: delegators.some(({ delegations }) =>
          delegations.some(({ kinds }) => kinds.includes('reviews')),
        ),
      });
    }),

  'GET /api/tasks/done': async ({ db }, { actor, query: { limit, cursor } }) => {
    const { orgId, userId } = actor;
    const rows = await db.transaction(actor, (tx) =>
      tx.many(listDone, { orgId, userId, limit: limit + 1, before: cursor ?? null }),
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return answer(page.map(presentDone), rows.length > limit && last ? { 'x-next-cursor': String(last.seq) } : {});
  },
} satisfies Partial<Handlers>;

const DID = {
  'step.completed': 'completed',
  'step.submitted': 'submitted',
  'step.approved': 'approved',
  'step.rejected': 'rejected',
  'step.returned': 'returned',
  'draft.approved': 'approved',
  'draft.changes_requested': 'changes_requested',
} as const satisfies Partial<Record<AuditAction, DoneTask['did']>>;

const presentDone = (row: DoneRow): DoneTask => ({
  id: row.seq,
  at: row.at.toISOString(),
  did: DID[row.action],
  title: row.title,
  workflowTitle: row.workflow_title,
  run: row.run_id === null ? null : { id: row.run_id, name: row.run_name ?? '' },
  draft: row.draft_key === null || row.draft_id === null ? null : { key: row.draft_key, id: row.draft_id },
});

async function presentTasks(tx: Tx, actor: OrgActor, rows: readonly ListedTask[]): Promise<Task[]> {
  // The statements don't consider the proofs of those who did the work or voted.
  const asked = rows.filter((row) => row.is_decision && !row.only_reject);
  const decisions = asked.map(({ run_id: runId, step_id: stepId, delegator }) =>
    delegator ? { runId, stepId, actor: delegator, delegate: actor } : { runId, stepId, actor },
  );
  const areUncounted = await uncountedApprovals(tx, actor.orgId, decisions);
  const uncounted = new Set(asked.filter((_, n) => areUncounted[n]));
  return rows.map((row) => presentTask(row, row.only_reject || uncounted.has(row)));
}

function presentTask(row: ListedTask, onlyReject: boolean): Task {
  const { delegator } = row;
  return {
    runId: row.run_id,
    runName: row.run_name,
    priority: row.priority,
    workflowKey: row.workflow_key,
    workflowTitle: row.workflow_title,
    stepId: row.step_id,
    title: row.title,
    type: row.type,
    assignee: row.assignee,
    waitsFor: waitsForIn(row.who),
    onlyReject,
    onBehalfOf: delegator && { id: delegator.userId, name: delegator.name, email: delegator.email },
    activatedAt: row.activated_at?.toISOString() ?? null,
    dueAt: row.due_at?.toISOString() ?? null,
    slaState: slaStateOf(row),
    now: row.now.getTime(),
  };
}

function waitsForIn(who: string): Task['waitsFor'] {
  if (isOnePerson(who)) return 'me';
  if (who.startsWith('group:')) return 'group';
  return who.startsWith('role:') ? 'role' : 'anyone';
}

function slaStateOf({ due_at, at_risk_at, now }: TaskRow): Task['slaState'] {
  if (!due_at) return null;
  if (now > due_at) return 'breached';
  return at_risk_at && now >= at_risk_at ? 'at_risk' : 'on_track';
}

const writeCursor = ({ due_at, run_id, step_id }: TaskRow): string =>
  `${due_at?.toISOString() ?? 'infinity'}_${run_id}_${step_id}`;

function readCursor(cursor: string): typeof FIRST {
  const [, due, runId, stepId] =
    /^(infinity|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\da-f-]{36})_(.{1,120})$/s.exec(cursor) ?? [];
  if (due === undefined || runId === undefined || stepId === undefined)
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
  return { due, runId, stepId };
}
