import { GOVERNANCE_ACTIONS } from '@stet/domain/audit';
import type { Deps } from '../../kernel/deps.ts';
import type { Change } from '../../kernel/live.ts';
import { regularly } from '../../kernel/regularly.ts';
import { sealOrAlarm } from './seal-trails.job.ts';

/**
 * Seals trails soon after governance events, outside of requests: every `everyMs`, the waiting trails one after the
 * other. A turn is skipped if the previous one is still running. If sealing fails or the process crashes, the job that
 * runs every minute seals the trail.
 */
export function openSealSoon(deps: Deps, everyMs: number) {
  const waiting = new Set<string>();
  const seal = async (): Promise<void> => {
    for (const orgId of waiting) {
      waiting.delete(orgId);
      await sealOrAlarm(deps, orgId);
    }
  };
  return {
    onCommitted: (orgId: string, changes: readonly Change[]): void => {
      if (changes.some(({ action }) => action !== undefined && GOVERNANCE_ACTIONS.has(action))) waiting.add(orgId);
    },
    stop: regularly(everyMs, seal, deps.log).stop,
  };
}
