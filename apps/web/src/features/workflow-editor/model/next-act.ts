import type { SourceRecord } from './source.ts';

export type NextAct = 'save' | 'draft' | 'run';

/** The next action that leads from a document to a run. Null for a draft that the person can't submit or publish. */
export function nextAct(record: SourceRecord, dirty: boolean): NextAct | null {
  if (dirty || record.kind === 'unsaved') return 'save';
  if (record.kind === 'live') return 'run';
  return record.abilities.publish || record.abilities.submit ? 'draft' : null;
}
