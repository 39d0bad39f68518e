import type { LastBackup } from '../../kernel/last-backup.ts';
import { type Finding, fine, warning } from './finding.ts';

const HOUR_MS = 3_600_000;
/** A nightly backup may take some hours and be late. */
const RECENT_MS = 36 * HOUR_MS;

/**
 * Reports a missing, old or failed backup.
 * @param now milliseconds since 1970
 */
export function backupFinding({ success, failure }: LastBackup, now: number): Finding {
  if (failure) return warning('backup', `The last backup (${failure.at}) failed: ${failure.problem.split('\n', 1)[0]}`);
  if (!success) return warning('backup', 'No backup has been made yet. Run: stet backup FOLDER --verify');
  const hours = Math.floor((now - Date.parse(success.at)) / HOUR_MS);
  const last = `The last backup was made ${hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.floor(hours / 24)} days`} ago`;
  if (now - Date.parse(success.at) > RECENT_MS) return warning('backup', `${last}. Is the timer still running?`);
  if (!success.verified) return warning('backup', `${last} and was not verified. Add --verify.`);
  return fine('backup', `${last} and was verified: ${success.file}.`);
}
