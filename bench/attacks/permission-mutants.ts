import { type ContractKey, type RouteSpec, contract } from '@stet/contract';
import { ORG_ROLES, type OrgRole, PERMISSIONS, type Permission } from '@stet/domain/access';
import {
  REACHING,
  type Tally,
  overstepWithin,
  reachForTheirs,
} from '../../apps/server/src/testing/isolation/play-isolation.ts';
import { publish } from '../../apps/server/src/testing/organization.ts';
import { fieldsOf } from '../../apps/server/src/testing/routes.ts';
import { start } from '../../apps/server/src/testing/runs.ts';
import type { Theirs } from '../../apps/server/src/testing/isolation/zephyrine.ts';
import type { Cast } from './isolation.ts';
import type { Outcome } from './outcome.ts';

type Mutant = {
  name: string;
  keys: readonly ContractKey[];
  /** True if the permission allows acting on a step. */
  acts: boolean;
  make: () => void;
  undo: () => void;
};

const specOf = (key: ContractKey): RouteSpec => contract[key];

/** Returns a mutant that replaces one of a route's declarations. The server reads the declarations at each call. */
function routeMutant(key: ContractKey, change: Partial<Pick<RouteSpec, 'access' | 'tokens'>>): Mutant {
  const spec = specOf(key);
  const { access, tokens } = spec;
  const what = change.access ?? `tokens: ${change.tokens}`;
  return {
    name: `${key} for ${what}`,
    keys: [key],
    acts: false,
    make: () => void Object.assign(spec, change),
    undo: () => {
      spec.access = access;
      if (tokens === undefined) delete spec.tokens;
      else spec.tokens = tokens;
    },
  };
}

function* routeMutants(): Generator<Mutant> {
  for (const key of REACHING) {
    const { access, tokens } = specOf(key);
    yield routeMutant(key, { access: 'public' });
    if (access !== 'session') yield routeMutant(key, { access: 'session' });
    if (access !== 'session' && access !== 'workflow.read') yield routeMutant(key, { access: 'workflow.read' });
    // No token ever has `org.manage`, so accepting tokens there allows nothing more.
    if (tokens !== undefined && tokens !== 'any' && access !== 'org.manage') yield routeMutant(key, { tokens: 'any' });
  }
}

/** Routes that act on a step and are open to everyone in an organization, because the step determines who may act. */
const ON_STEPS: readonly ContractKey[] = REACHING.filter((key) => {
  const { access, params, body } = specOf(key);
  return (
    key.startsWith('POST') && access === 'workflow.read' && [params, body].some((of) => fieldsOf(of).includes('stepId'))
  );
});

/** Returns the routes that require a permission, either before their use case or in it, once the subject is known. */
function routesAskingFor(permission: Permission): readonly ContractKey[] {
  const atDoor = REACHING.filter((key) => specOf(key).access === permission);
  if (atDoor.length > 0) return atDoor;
  if (permission.startsWith('step.')) return ON_STEPS;
  if (permission === 'workflow.archive') return routesAskingFor('workflow.archive_unmerged');
  throw new Error(`No route requires ${permission}`);
}

/** Returns mutants that each add one role to a row of the permission matrix. */
function* matrixMutants(): Generator<Mutant> {
  const rows = PERMISSIONS as unknown as Record<Permission, readonly OrgRole[]>;
  for (const permission of Object.keys(rows) as Permission[]) {
    // The tests of runs cover this permission.
    if (permission === 'step.stand_in') continue;
    const holders = rows[permission];
    // A role that can't delete an unmerged workflow can't reach the check for archiving one.
    const roles = permission === 'workflow.archive' ? rows['workflow.archive_unmerged'] : ORG_ROLES;
    for (const role of roles.filter((each) => !holders.includes(each))) {
      yield {
        name: `${permission} for every ${role}`,
        keys: routesAskingFor(permission),
        acts: permission.startsWith('step.'),
        make: () => void (rows[permission] = [...holders, role]),
        undo: () => void (rows[permission] = holders),
      };
    }
  }
}

/** Weakens each permission check, one at a time, and tests whether the isolation probes detect it. */
export async function attackPermissionChecks(cast: Cast): Promise<Outcome[]> {
  const { zephyrine, outsiders, insiders } = cast;
  // A few callers of each kind detect as much as all of them.
  const few = outsiders.filter(({ name }) =>
    /^nobody|without an organization|the viewer of another|: made-up/.test(name),
  );
  const some = insiders.filter(
    ({ name, standing }) => standing.kind === 'person' || /: (?:workflow\.read|all scopes|made-up)/.test(name),
  );
  const outcomes: Outcome[] = [];
  for (const [attack, mutants] of [
    ['Each route permission weakened', [...routeMutants()]],
    ['Each cell of the permission matrix granted', [...matrixMutants()]],
  ] as const) {
    const missed: string[] = [];
    for (const mutant of mutants) {
      // Under a mutant, calls may change data. Each mutant that allows acting on steps therefore gets new runs: one
      // that waits for completion, and one that waits for a vote.
      const theirs = { ...zephyrine.theirs, ...(mutant.acts && (await waiting(cast))) };
      const probes = [
        () => overstepWithin({ ...zephyrine, theirs }, some, mutant.keys),
        () => reachForTheirs(zephyrine, few, mutant.keys),
      ];
      mutant.make();
      const detecting = await firstOf(probes).finally(() => mutant.undo());
      if (!detecting) missed.push(`not detected: ${mutant.name}`);
      // If the probes find the same after the check is restored, the mutant isn't the cause.
      const still = (await detecting?.())?.findings ?? [];
      missed.push(...still.slice(0, 3).map((finding) => `also found without ${mutant.name}: ${finding}`));
    }
    outcomes.push({
      attack,
      tried: `${mutants.length} weakened checks, one at a time`,
      result: `${mutants.length - missed.length} of ${mutants.length} detected by the probes above, which find nothing once the check is restored`,
      findings: missed,
    });
  }
  return outcomes;
}

type Probes = () => Promise<Tally>;
/** Returns the first probes with a finding. */
async function firstOf(probes: readonly Probes[]): Promise<Probes | null> {
  for (const probe of probes) if ((await probe()).findings.length > 0) return probe;
  return null;
}

let made = 0;
/** Starts a run that waits for completion and one that waits for a vote. Returns their ids. */
async function waiting({ zephyrine: { owner, reviewer, theirs } }: Cast): Promise<Partial<Theirs>> {
  const key = `zephyrine-mutant-${(made += 1)}`;
  await publish(owner, reviewer, key, [{ id: theirs.voteStepId, title: 'Zephyrine vote', type: 'approval' }]);
  const vote = await start(owner, key);
  await publish(owner, reviewer, `${key}-manual`, [{ id: theirs.stepId, title: 'Zephyrine step' }]);
  const run = await start(owner, `${key}-manual`);
  return { voteRunId: vote.id, runId: run.id };
}
