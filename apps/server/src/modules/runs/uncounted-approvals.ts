import { actingFor, notCounted } from '@stet/domain/runs';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { runActorOf } from './run-actor.ts';
import { listStrictRuns, listStrictVersions } from './runs.sql.ts';
import { readProofs } from './step-access.ts';

/** A decision that waits for `actor` or, if there is a delegate, for the delegate on the actor's behalf. */
type Decision = { runId: string; stepId: string; actor: OrgActor; delegate?: OrgActor | undefined };

/**
 * Returns for each decision whether an approval wouldn't count under strict review because of what has happened in the
 * run, as the run page says. Ignores the mark of the power through which the actor decides.
 */
export async function uncountedApprovals(
  tx: Tx,
  orgId: string,
  decisions: readonly Decision[],
): Promise<readonly boolean[]> {
  if (decisions.length === 0) return [];
  const at = { orgId, runIds: [...new Set(decisions.map(({ runId }) => runId))] };
  const [listed, versions] = await Promise.all([tx.many(listStrictRuns, at), tx.many(listStrictVersions, at)]);
  const runs = new Map(listed.map((run) => [run.id, run]));
  const versionOf = new Map(versions.map((version) => [version.id, version]));
  const proofs = await readProofs(tx, orgId, ...listed.map(({ state }) => state));
  return decisions.map(({ runId, stepId, actor, delegate }) => {
    const run = runs.get(runId);
    const version = run && versionOf.get(run.version_id);
    const step = version?.steps.find(({ id }) => id === stepId);
    if (!run || !version || !step) return false;
    const by = delegate ? actingFor(runActorOf(delegate), runActorOf(actor)) : runActorOf(actor);
    return notCounted(version, run.state, step, { act: 'approve', by, proofs, added: null }) !== null;
  });
}
