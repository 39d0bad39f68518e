import { type ContractKey, type RouteSpec, contract } from '@stet/contract';
import { ORG_ROLES, type OrgRole, PERMISSIONS, type Permission } from '@stet/domain/access';
import {
  REACHING,
  type Tally,
  overstepWithin,
  reachForTheirs,
} from '../../apps/server/src/testing/isolation/play-isolation.ts';
import { publish } from '../../apps/server/src/testing/organization.ts';
import { start } from '../../apps/server/src/testing/runs.ts';
import type { Theirs } from '../../apps/server/src/testing/isolation/zephyrine.ts';
import type { Cast } from './isolation.ts';
import type { Outcome } from './outcome.ts';

type Mutant = {
  name: string;
  keys: readonly ContractKey[];
  /** It lets a step be acted on. */
  acts: boolean;
  make: () => void;
  undo: () => void;
};

const specOf = (key: ContractKey): RouteSpec => contract[key];

/** A route with one of its declarations exchanged. The server reads them at each call. */
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
    // No token ever holds `org.manage`: to let them in there opens nothing.
    if (tokens !== undefined && tokens !== 'any' && access !== 'org.manage') yield routeMutant(key, { tokens: 'any' });
  }
}

/** Permissions that no route asks for at its door: a use case does, once it knows what is meant. */
const BY_USE_CASE: { [P in Permission]?: RegExp } = {
  'step.act_any': /^POST .*(?:complete|skip|reject)$/,
  'step.act_approval': /^POST .*steps.*(?:approve|reject)$/,
  'workflow.archive': /^DELETE .*\/workflows\/\{key\}$/,
};

/** One role more in a row of the permission matrix. */
function* matrixMutants(): Generator<Mutant> {
  const rows = PERMISSIONS as unknown as Record<Permission, readonly OrgRole[]>;
  for (const permission of Object.keys(rows) as Permission[]) {
    // It opens nothing until those whom a step names are too few; the tests of runs play that.
    if (permission === 'step.stand_in') continue;
    const holders = rows[permission];
    // Who may not even delete what was never merged doesn't come so far as to archive anything.
    const roles = permission === 'workflow.archive' ? rows['workflow.archive_unmerged'] : ORG_ROLES;
    for (const role of roles.filter((each) => !holders.includes(each))) {
      yield {
        name: `${permission} for every ${role}`,
        keys: REACHING.filter((key) => specOf(key).access === permission || BY_USE_CASE[permission]?.test(key)),
        acts: permission.startsWith('step.'),
        make: () => void (rows[permission] = [...holders, role]),
        undo: () => void (rows[permission] = holders),
      };
    }
  }
}

/** Makes each check of a permission weaker, one at a time, and sees whether the probes of isolation notice. */
export async function attackPermissionChecks(cast: Cast): Promise<Outcome[]> {
  const { zephyrine, outsiders, insiders } = cast;
  // A few of each kind notice as much as all of them.
  const few = outsiders.filter(({ name }) => /^nobody|no organization|another’s viewer|: made-up/.test(name));
  const some = insiders.filter(
    ({ name, standing }) => standing.kind === 'person' || /: (?:workflow\.read|all scopes|made-up)/.test(name),
  );
  const outcomes: Outcome[] = [];
  for (const [attack, mutants] of [
    ['Each permission of a route weakened', [...routeMutants()]],
    ['Each cell of the permission matrix granted', [...matrixMutants()]],
  ] as const) {
    const missed: string[] = [];
    for (const mutant of mutants) {
      // What a mutant lets through changes things: each finds a run and a vote that wait.
      const theirs = { ...zephyrine.theirs, ...(mutant.acts && (await waiting(cast))) };
      const probes = [
        () => overstepWithin({ ...zephyrine, theirs }, some, mutant.keys),
        () => reachForTheirs(zephyrine, few, mutant.keys),
      ];
      mutant.make();
      const noticing = await firstOf(probes).finally(() => mutant.undo());
      if (!noticing) missed.push(`not noticed: ${mutant.name}`);
      // Where they find the same with the check back in its place, it wasn't its absence that they found.
      const still = (await noticing?.())?.findings ?? [];
      missed.push(...still.slice(0, 3).map((finding) => `found without ${mutant.name}, too: ${finding}`));
    }
    outcomes.push({
      attack,
      tried: `${mutants.length} weakened checks, one at a time`,
      met: `${mutants.length - missed.length} of ${mutants.length} noticed by the probes above, which find nothing once the check is back`,
      findings: missed,
    });
  }
  return outcomes;
}

type Probes = () => Promise<Tally>;
/** The first that finds anything. */
async function firstOf(probes: readonly Probes[]): Promise<Probes | null> {
  for (const probe of probes) if ((await probe()).findings.length > 0) return probe;
  return null;
}

let made = 0;
/** A step that waits for someone to act, and one that waits for a vote. */
async function waiting({ zephyrine: { owner, reviewer, theirs } }: Cast): Promise<Partial<Theirs>> {
  const key = `zephyrine-mutant-${(made += 1)}`;
  await publish(owner, reviewer, key, [{ id: theirs.voteStepId, title: 'Zephyrine vote', type: 'approval' }]);
  const vote = await start(owner, key);
  await publish(owner, reviewer, `${key}-manual`, [{ id: theirs.stepId, title: 'Zephyrine step' }]);
  const run = await start(owner, `${key}-manual`);
  return { voteRunId: vote.id, runId: run.id };
}
