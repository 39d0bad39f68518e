import type { SourceRecord } from './source.ts';

export type NextAct = 'save' | 'draft' | 'run';

/** What an open document leads to next, on its way from an edit to a run; null where others have to act first. */
export function nextAct(record: SourceRecord, dirty: boolean): NextAct | null {
  if (dirty || record.kind === 'unsaved') return 'save';
  if (record.kind === 'live') return 'run';
  return record.abilities.publish || record.abilities.submit ? 'draft' : null;
}
