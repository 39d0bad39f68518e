import { GOVERNANCE_ACTIONS } from '@stet/domain/audit';
import type { Deps } from '../../kernel/deps.ts';
import type { Change } from '../../kernel/live.ts';
import { regularly } from '../../kernel/regularly.ts';
import { sealOrAlarm } from './seal-trails.job.ts';

/**
 * Seals trails soon after governance events, outside of requests. A trail waits at most `everyMs`, and is sealed at
 * most once in that time. If the process crashes, the job that runs every minute seals the trails.
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
