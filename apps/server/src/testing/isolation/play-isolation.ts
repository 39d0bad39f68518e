import type { ContractKey } from '@stet/contract';
import type { Person } from '../server.ts';
import pLimit from 'p-limit';
import type { Principal } from './principals.ts';
import { compareWithUnknownIds, sendMalformedIds, overstep, reach, readOwn } from './probe.ts';
import { PROBES, type Probe, reaching } from './probes.ts';
import { KEY, type Theirs, type Zephyrine } from './zephyrine.ts';

export type Tally = { probes: number; findings: string[] };

const AT_ONCE = 6;
const everyPair = (principals: readonly Principal[], keys: readonly ContractKey[]): [Principal, ContractKey][] =>
  keys.flatMap((key) => principals.map((who) => [who, key] as [Principal, ContractKey]));
export const REACHING = reaching.map(([key]) => key);

/** Strangers, and callers whose session has ended, request all of Zephyrine's data. */
export async function reachForTheirs(
  { theirs, canaries }: Zephyrine,
  principals: readonly Principal[],
  keys: readonly ContractKey[] = REACHING,
): Promise<Tally> {
  const tally: Tally = { probes: 0, findings: [] };
  await pLimit(AT_ONCE).map(everyPair(principals, keys), async ([who, key]) => {
    for (const probe of PROBES[key]?.(theirs) ?? []) {
      tally.probes += 1;
      tally.findings.push(...(await reach(who, key, probe, canaries)));
    }
  });
  return tally;
}

/** Strangers, and callers whose session has ended, send unknown ids and malformed ids. */
export async function reachForNothing(
  { theirs, canaries }: Zephyrine,
  principals: readonly Principal[],
): Promise<Tally> {
  const tally: Tally = { probes: 0, findings: [] };
  await pLimit(AT_ONCE).map(everyPair(principals, REACHING), async ([who, key]) => {
    for (const probe of (PROBES[key]?.(theirs) ?? []).filter(({ answer }) => answer === 404)) {
      tally.probes += 2;
      tally.findings.push(...(await compareWithUnknownIds(who, key, probe, theirs)));
    }
    const malformed = await sendMalformedIds(who, key, theirs, canaries);
    tally.probes += malformed.length;
    tally.findings.push(...malformed.flat());
  });
  return tally;
}

/** Strangers read their own data, which shows that the probes can succeed at all. */
export async function readTheirOwn(
  zephyrine: Zephyrine,
  principals: readonly Principal[],
): Promise<Tally & { routesRead: number }> {
  const own = await likeTheirs(zephyrine.stranger, zephyrine.theirs);
  const tally: Tally = { probes: 0, findings: [] };
  const read = new Set<ContractKey>();
  const reads = REACHING.filter((key) => key.startsWith('GET') && key !== 'GET /api/events');
  await pLimit(AT_ONCE).map(everyPair(principals, reads), async ([who, key]) => {
    const [probe] = PROBES[key]?.(own) ?? [];
    if (!probe) return;
    tally.probes += 1;
    const { findings, isRead } = await readOwn(who, key, mineOf(probe), zephyrine.canaries);
    tally.findings.push(...findings);
    if (isRead) read.add(key);
  });
  // Slack isn't connected here, and no draft is outdated.
  const unread = reads.filter((key) => !read.has(key) && !/slack|rebase$/.test(key));
  tally.findings.push(...unread.map((key) => `${key} was never allowed, not even for the caller's own data`));
  return { ...tally, routesRead: read.size };
}

/**
 * Zephyrine's ids, replaced by those of the stranger's own data as far as it has such data. Creates a run and a webhook
 * for this.
 */
async function likeTheirs(stranger: Person, theirs: Theirs): Promise<Theirs> {
  const { id: runId } = await stranger.post<{ id: string }>('/api/runs', { key: 'mine', name: 'Mine' });
  const versions = await stranger.get<{ id: string; status: string }[]>('/api/workflows/mine/versions');
  const live = versions.find(({ status }) => status === 'live')?.id ?? '';
  const { webhook } = await stranger.post<{ webhook: { id: string } }>('/api/webhooks', {
    name: 'Mine',
    url: 'https://127.0.0.1/',
    actions: ['audit.erased'],
  });
  const { myOrgId: orgId, myDraftId: openDraftId } = theirs;
  return {
    ...theirs,
    orgId,
    ownerId: stranger.user.id,
    email: stranger.user.email,
    runId,
    draftId: live,
    versionId: live,
    openDraftId,
    webhookId: webhook.id,
  };
}

const mineOf = (probe: Probe): Probe => JSON.parse(JSON.stringify(probe).replaceAll(KEY, 'mine')) as Probe;

/** Members and tokens of Zephyrine try calls that their role or scopes don't allow. */
export async function overstepWithin(
  { theirs }: Zephyrine,
  principals: readonly Principal[],
  keys: readonly ContractKey[] = REACHING,
): Promise<Tally> {
  const tally: Tally = { probes: 0, findings: [] };
  await pLimit(AT_ONCE).map(everyPair(principals, keys), async ([who, key]) => {
    const findings = await overstep(who, key, theirs);
    if (findings === null) return;
    tally.probes += 1;
    tally.findings.push(...findings);
  });
  return tally;
}
