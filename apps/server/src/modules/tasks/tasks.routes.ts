import type { DoneTask, Task } from '@stet/contract';
import { canDecideSteps } from '@stet/domain/access';
import type { AuditAction } from '@stet/domain/audit';
import { namesOf } from '@stet/domain/runs';
import type { Handlers } from '../../http/handler.ts';
import { type OrgActor, namedPersonOf, peopleOf } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { type DoneRow, type TaskRow, countTasks, listDone, listTasks } from './tasks.sql.ts';

const MAX_COUNTED = 100;
const FIRST = { due: '-infinity', runId: '00000000-0000-0000-0000-000000000000', stepId: '' };

/** True for the name of one person, who started the run or has this address. */
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

export const taskHandlers = {
  'GET /api/tasks': async ({ db }, { actor, query: { limit, cursor, for: whose } }) => {
    const after = cursor === undefined ? FIRST : readCursor(cursor);
    const rows = await db.transaction(actor, (tx) =>
      tx.many(listTasks, {
        ...waitingFor(actor, whose),
        limit: limit + 1,
        afterDue: after.due,
        afterRun: after.runId,
        afterStep: after.stepId,
      }),
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return answer(page.map(presentTask), rows.length > limit && last ? { 'x-next-cursor': writeCursor(last) } : {});
  },

  'GET /api/tasks/count': async ({ db }, { actor }) => {
    const counted = await db.transaction(actor, (tx) =>
      tx.maybeOne(countTasks, { ...waitingFor(actor), most: MAX_COUNTED }),
    );
    return answer({
      count: counted?.count ?? 0,
      overdue: counted?.overdue ?? 0,
      nextDueAt: counted?.next_due_at?.toISOString() ?? null,
    });
  },

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

function presentTask(row: TaskRow): Task {
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
    onlyReject: row.only_reject,
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
