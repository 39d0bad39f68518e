import type { VersionState } from '@stet/domain/drafts';

/** A version is named by its number or by its id; the other is null. */
export const versionOf = ({ version }: { version: string | number }): { number: number | null; id: string | null } =>
  typeof version === 'number' ? { number: version, id: null } : { number: null, id: version };

/** The state of a merged version, as far as going back to it asks for it. */
export function versionStateOf({
  status,
  version,
}: {
  status: VersionState['state'];
  version: number | null;
}): VersionState {
  const merged = { by: '', at: 0 };
  return status === 'live'
    ? { state: 'live', version: version ?? 0, merged }
    : { state: 'superseded', version: version ?? 0, merged, supersededAt: 0 };
}
