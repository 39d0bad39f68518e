import { readClock } from '../modules/runs/runs.sql.ts';
import type { Server } from '../server.ts';
import { unlessDone } from './api.ts';
import { NEWCOMER } from './cast.ts';
import { findAccount, unmuteMembers } from './demo.sql.ts';
import { type People, gatherPeople, welcomeNewcomer } from './people.ts';
import { playDraft, playRollback } from './play-draft.ts';
import { playRun } from './play-run.ts';
import { startOf } from './replay.ts';
import { RUNS } from './runs/all-runs.ts';
import { WORKFLOWS } from './workflows/all-workflows.ts';

/**
 * Fills an installation with the demo, unless it is already filled. Every step is idempotent, so the next start
 * continues an interrupted fill.
 */
export async function fillDemo(
  server: Server,
  say: (line: string) => void = () => {},
): Promise<'filled' | 'was filled'> {
  const { db } = server.deps;
  const [complete] = await db.query(findAccount, { email: NEWCOMER.email });
  if (complete) return 'was filled';
  say('Filling the demo. This takes a few seconds …');
  await fillTeam(server, await gatherPeople(server));
  await welcomeNewcomer(server.url);
  return 'filled';
}

/** Creates the team's workflows, runs and open drafts, in a plausible order. */
export async function fillTeam({ deps }: Server, people: People): Promise<void> {
  const { db } = deps;
  const [[founder], [clock]] = await Promise.all([
    db.query(findAccount, { email: people.mara.email }),
    db.query(readClock, {}),
  ]);
  if (!founder || !clock) throw new Error('the team does not exist yet');
  const stage = { db, people, today: founder.created_at.getTime() };
  const { now } = clock;

  for (const workflow of WORKFLOWS) {
    for (const [n, version] of workflow.versions.entries()) await playDraft(stage, workflow, `v${n + 1}`, version);
    if (workflow.rollback) await playRollback(people, workflow.key, workflow.rollback);
  }
  for (const run of RUNS.toSorted((one, other) => startOf(one, now) - startOf(other, now))) {
    await playRun({ db, people, now }, run);
  }
  for (const { key, archivedBy } of WORKFLOWS) {
    if (archivedBy) await unlessDone(people[archivedBy].call('DELETE', `/api/workflows/${key}`));
  }
  for (const workflow of WORKFLOWS) {
    if (workflow.openDraft) await playDraft(stage, workflow, 'open', workflow.openDraft);
  }
  const { orgId } = people;
  await db.transaction({ orgId, userId: null }, async (tx) => tx.write(unmuteMembers, { orgId }));
}
