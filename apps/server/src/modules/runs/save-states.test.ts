import { randomUUID } from 'node:crypto';
import { commandOf, intendedCommand, workflowOf } from '@stet/domain/testing';
import { type RunActor, type RunFact, type RunState, SYSTEM_ACTOR, decide } from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { newRunId } from '../../kernel/ids.ts';
import { publish } from '../../testing/organization.ts';
import { startRunScene } from '../../testing/run-scene.ts';
import { columnsOf, recordFacts } from './record-facts.ts';
import { insertRuns, saveRuns } from './runs.sql.ts';

const { server, orgId, owner, reviewer } = await startRunScene();
afterAll(() => server.stop());
const { db } = server.server.deps;

const personOf = (id: string, name: string): RunActor => ({ id, name, email: `${name}@example.com`, kind: 'user' });
const people: Record<string, RunActor> = {
  ann: personOf(owner.user.id, 'ann'),
  bob: personOf(reviewer.user.id, 'bob'),
  // A token and the person responsible for it.
  cem: { ...personOf(randomUUID(), 'cem'), kind: 'token', personId: randomUUID() },
  // An unproved account and the person who invited it.
  dee: { ...personOf(randomUUID(), 'dee'), also: [reviewer.user.id] },
};

/** Saves a decision in the same way as the use cases. The first decision inserts the run. */
async function save(
  runId: string,
  versionId: string,
  workflow: { steps: Step[] },
  state: RunState,
  facts: readonly RunFact[],
  isNew: boolean,
): Promise<void> {
  const recorded = {
    orgId,
    runId,
    runName: 'A run',
    isSmall: true,
    sessionId: null,
    workflow,
    calendar: null,
    state,
    facts,
  };
  await db.transaction({ orgId, userId: null }, async (tx) => {
    if (!isNew) {
      tx.write(saveRuns, { orgId, runs: [{ id: runId, ...columnsOf(workflow, state) }] });
      return recordFacts(tx, recorded);
    }
    const [version] = await server.sql<{ workflow_id: string }>(
      'select workflow_id from workflow_versions where id = $1',
      [versionId],
    );
    tx.write(insertRuns, {
      orgId,
      runs: [
        {
          id: runId,
          workflow_id: version?.workflow_id ?? '',
          workflow_key: 'states',
          workflow_title: 'States',
          version_id: versionId,
          version: 1,
          name: 'A run',
          description: null,
          priority: 'medium',
          started_by: owner.user.id,
          created_at: new Date(state.startedAt),
          steps_total: workflow.steps.length,
          ...columnsOf(workflow, state),
        },
      ],
    });
    recordFacts(tx, recorded);
  });
}

it('every reachable state of a run is the same after it is stored and read', async () => {
  const versionId = await publish(owner, reviewer, 'states');
  const assignees = fc.array(
    fc.constantFrom('Unassigned', 'reviewer', 'system', owner.user.email, 'gone@example.com'),
    {
      minLength: 8,
      maxLength: 8,
    },
  );
  let saved = 0;
  await fc.assert(
    fc.asyncProperty(
      workflowOf({ maxSteps: 8 }),
      assignees,
      fc.array(intendedCommand, { minLength: 5, maxLength: 40 }),
      async (plain, names, commands) => {
        const steps = plain.map((step, at): Step => ({ ...step, assignee: names[at] ?? '' }));
        const workflow = { steps };
        const runId = newRunId();
        let now = Date.now();
        let state: RunState | null = null;
        const play = async (command: Parameters<typeof decide>[2], actor: RunActor): Promise<void> => {
          const decision = decide(workflow, state, command, { at: now, actor });
          if (!decision.ok) return;
          if (decision.facts.length === 0) return;
          const isNew = state === null;
          ({ state } = decision);
          await save(runId, versionId, workflow, state, decision.facts, isNew);
          saved += 1;
        };
        await play({ type: 'start' }, people['ann'] ?? SYSTEM_ACTOR);
        for (const intended of commands) {
          if (!state) throw new Error('not started');
          now += Math.abs(intended.minutes) * 60_000;
          const command = commandOf(steps, state, intended);
          await play(command, 'activation' in command ? SYSTEM_ACTOR : (people[intended.who] ?? SYSTEM_ACTOR));
        }
        const [row] = await server.sql<{ state: unknown }>('select state from runs where id = $1', [runId]);
        expect(row?.state).toEqual(JSON.parse(JSON.stringify(state)));
      },
    ),
    { numRuns: 80 },
  );
  expect(saved).toBeGreaterThan(100);
}, 240_000);
