import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { raiseAlarm } from './raise-alarm.ts';
import type { SealDeps } from './seal-trail.ts';
import {
  type Found,
  type Progress,
  beginProgress,
  continueVerification,
  readProgress,
  signProgress,
  signWhole,
  verdictOn,
} from './verification.ts';
import {
  beginVerification,
  endVerification,
  findNextUnverified,
  findVerification,
  storeProgress,
} from './verification.sql.ts';

const payloadOf = z.object({ orgId: z.uuid(), verificationId: z.uuid() });

type Verified = { orgId: string; id: string };
type VerifyDeps = SealDeps & Pick<Deps, 'log'>;

/** Verifies the whole trail of an organization on request, and stores the progress and the result. */
export async function verifyTrail(deps: VerifyDeps, payload: unknown): Promise<void> {
  const { orgId, verificationId: id } = payloadOf.parse(payload);
  const ended = await verdictOn(deps, orgId, (progress) => saveProgress(deps, { orgId, id }, progress));
  if (ended.is === 'ended') await saveVerdict(deps, { orgId, id }, ended.progress, ended.found);
}

const saveProgress = ({ db, ...deps }: SealDeps, { orgId, id }: Verified, progress: Progress): Promise<boolean> =>
  db.transaction({ orgId, userId: null }, async (tx) => {
    const { total, walked } = progress;
    const note = signProgress(deps, orgId, progress);
    return (
      (await tx.maybeOne(storeProgress, { orgId, id, done: walked?.seq ?? 0, total, progress: note })) !== undefined
    );
  });

async function saveVerdict(
  { db, ...deps }: VerifyDeps,
  { orgId, id }: Verified,
  { startedAt, walked }: Progress,
  found: Found | null,
): Promise<void> {
  const endedAt = new Date().toISOString();
  await db.transaction({ orgId, userId: null }, async (tx) => {
    if (found) raiseAlarm(deps, tx, orgId, found, await tx.maybeOne(findVerification, { orgId }));
    tx.write(endVerification, {
      orgId,
      id,
      firstBadSeq: found?.firstBadSeq ?? null,
      problem: found?.problem ?? null,
      detail: found?.detail ?? null,
      whole: found || !walked ? null : signWhole(deps, orgId, { startedAt, endedAt, walked }),
    });
  });
}

const nightOf = z.object({ since: z.iso.datetime().optional() });

/**
 * The duration of a slice of work, in milliseconds. Including the pause after each slice, verification uses at most a
 * third of one core.
 */
const SLICE_MS = 2000;
const PAUSE_MS = 4000;

/**
 * Runs every night and verifies the whole trails of all organizations, one after the other, in slices. Each slice
 * stores its progress and enqueues the next slice, so that a restart continues where it stopped.
 */
export async function verifyAllTrails(deps: VerifyDeps & Pick<Deps, 'pokeOutbox'>, payload: unknown): Promise<void> {
  const { since = new Date().toISOString() } = nightOf.parse(payload);
  const until = performance.now() + SLICE_MS;
  do {
    const [next] = await deps.db.query(findNextUnverified, { since });
    if (!next) return;
    await verifySlice(deps, next.org_id, until - performance.now());
  } while (performance.now() < until);
  const job = { task: 'verify_audits', payload: { since }, key: 'verify_audits', delayMs: PAUSE_MS };
  await deps.db.transaction(null, async (tx) => enqueueJobs(tx, [job]));
}

async function verifySlice(deps: VerifyDeps, orgId: string, budgetMs: number): Promise<void> {
  const tenant = { orgId, userId: null };
  const row = await deps.db.transaction(tenant, (tx) => tx.maybeOne(findVerification, { orgId }));
  const resumed = row?.state === 'running' ? readProgress(deps, orgId, row.progress, new Date()) : null;
  let id = row?.id ?? newId();
  if (!resumed) {
    id = newId();
    // If a requested verification is already running, it also counts as the one for this night.
    if (!(await deps.db.transaction(tenant, (tx) => tx.maybeOne(beginVerification, { orgId, id })))) {
      await new Promise((soon) => setTimeout(soon, budgetMs));
      return;
    }
  }
  const step = await continueVerification(deps, orgId, resumed ?? (await beginProgress(deps, orgId)), budgetMs);
  const isOurs = await saveProgress(deps, { orgId, id }, step.progress);
  if (isOurs && step.is === 'ended') await saveVerdict(deps, { orgId, id }, step.progress, step.found);
}
