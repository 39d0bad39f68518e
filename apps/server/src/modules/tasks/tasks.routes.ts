import type { Task } from '@stet/contract';
import { mayDecideSteps } from '@stet/domain/access';
import { namesOf } from '@stet/domain/runs';
import type { Handlers } from '../../http/handler.ts';
import { type OrgActor, peopleOf } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { type TaskRow, countTasks, listTasks } from './tasks.sql.ts';

const MOST_COUNTED = 100;
const FIRST = { due: '-infinity', runId: '00000000-0000-0000-0000-000000000000', stepId: '' };

const waitingFor = (actor: OrgActor) => ({
  orgId: actor.orgId,
  names: namesOf(actor),
  people: peopleOf(actor),
  mayDecide: mayDecideSteps(actor.standing),
  byOwnHand: actor.standing.roleByOwnHand,
});

export const taskHandlers = {
  'GET /api/tasks': async ({ db }, { actor, query: { limit, cursor } }) => {
    const after = cursor === undefined ? FIRST : readCursor(cursor);
    const rows = await db.transaction(actor, (tx) =>
      tx.many(listTasks, {
        ...waitingFor(actor),
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
      tx.maybeOne(countTasks, { ...waitingFor(actor), most: MOST_COUNTED }),
    );
    return answer({
      count: counted?.count ?? 0,
      overdue: counted?.overdue ?? 0,
      nextDueAt: counted?.next_due_at?.toISOString() ?? null,
    });
  },
} satisfies Partial<Handlers>;

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
    waitsFor: row.who.startsWith('role:') ? 'role' : row.who.includes('@') ? 'me' : 'anyone',
    activatedAt: row.activated_at?.toISOString() ?? null,
    dueAt: row.due_at?.toISOString() ?? null,
    slaState: slaStateOf(row),
    now: row.now.getTime(),
  };
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
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor of this list' }] });
  return { due, runId, stepId };
}
