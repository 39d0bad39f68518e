import type { Database } from '../kernel/database.ts';
import { answer } from '../kernel/answer.ts';
import { newRunId } from '../kernel/ids.ts';
import { columnsOf, recordPastFacts } from '../modules/runs/record-facts.ts';
import { insertRun } from '../modules/runs/runs.sql.ts';
import { findVersion, findWorkflow } from '../modules/workflows/index.ts';
import { EVERYONE, type Who } from './cast.ts';
import type { People } from './people.ts';
import { replay } from './replay.ts';
import type { RunScript } from './run-script.ts';

/** Inserts a run into the team's data as if it had happened in the past. A run that already exists stays unchanged. */
export async function playRun(
  { db, people, now }: { db: Database; people: People; now: number },
  script: RunScript,
): Promise<void> {
  const { orgId } = people;
  const { workflow: key, version: number, name } = script;
  const ids = Object.fromEntries(EVERYONE.map((who) => [who, people[who].id])) as Record<Who, string>;
  const once = { key: `demo run ${key} ${name}`, digest: 'demo' };
  await db.changeOnce({ orgId, userId: ids[script.by], asks: 'run.start' }, once, async (tx) => {
    const [version, workflow] = await Promise.all([
      tx.maybeOne(findVersion, { orgId, key, number, id: null }),
      tx.maybeOne(findWorkflow, { orgId, key }),
    ]);
    if (!version || !workflow) throw new Error(`${key} has no version ${number}`);
    const content = { steps: version.steps };
    const { facts, state } = replay(content, script, { ids, now });
    const runId = newRunId();
    tx.write(insertRun, {
      orgId,
      id: runId,
      workflowId: workflow.id,
      workflowKey: key,
      workflowTitle: version.metadata.title,
      versionId: version.id,
      version: number,
      name,
      description: script.description ?? null,
      priority: script.priority,
      startedBy: ids[script.by],
      createdAt: new Date(state.startedAt),
      stepsTotal: version.steps.length,
      ...columnsOf(content, state),
    });
    recordPastFacts(tx, {
      orgId,
      runId,
      runName: name,
      sessionId: null,
      workflow: content,
      calendar: null,
      state,
      facts,
    });
    return answer({ runId });
  });
}
