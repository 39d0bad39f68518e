import { chainOf, someRecords } from './audit.arbitrary.ts';
import { bundleOf, checkpointOver, KEY } from './bundle.arbitrary.ts';
import type { MacCheck } from './event-mac.ts';
import type { FindingKind } from './findings.ts';
import type { NoteKey } from './note.ts';
import { verifySignature } from './signing.arbitrary.ts';
import { verifyBundle } from './verifier/verify-bundle.ts';

/** Test support: a trail of 13 events, its bundle and its saved checkpoints. */
export const COUNT = 13;
export const chain = chainOf(someRecords(COUNT));
export const bundle = bundleOf(chain, [5, COUNT]);
export const savedCheckpoints = [checkpointOver(chain, 5), checkpointOver(chain, COUNT)];

export const verify = (
  lines: Iterable<string>,
  {
    keys = [KEY],
    checkpoints = savedCheckpoints,
    isWhole = true,
    isMac,
  }: { keys?: readonly NoteKey[]; checkpoints?: readonly string[]; isWhole?: boolean; isMac?: MacCheck['isMac'] } = {},
) => verifyBundle({ lines, keys, checkpoints, verifySignature, isWhole: () => isWhole, ...(isMac && { isMac }) });
export const kindsOf = (lines: Iterable<string>, more: Parameters<typeof verify>[1] = {}): FindingKind[] =>
  verify(lines, more).findings.map(({ kind }) => kind);

/** True if `STET_LONG=1`: the tampering tests then run at full length. */
const isLong =
  (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env['STET_LONG'] === '1';
export const numRuns = isLong ? 10_000 : 120;
export const patience = { timeout: isLong ? 3_600_000 : 60_000 };
