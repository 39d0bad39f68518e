import { plainLatin } from '../defaults/plain-latin.ts';
import { LIMITS } from './content.ts';

const WORKFLOW_KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

/** True for a valid workflow key: 1 to 120 of `A-Z a-z 0-9 . _ -`, the first a letter or digit. */
export function isWorkflowKey(text: string): boolean {
  return WORKFLOW_KEY.test(text);
}

/**
 * Returns the key suggested for a title (specification, section 5, builder save): lower-case letters without accents,
 * digits and hyphens, cut to the limit. Each run of other characters becomes one hyphen, and there are none at the
 * ends. Null if nothing remains, for example for a title in another alphabet; use `newWorkflowKey` then.
 */
export function keyFromTitle(title: string): string | null {
  const key = plainLatin(title)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.key + 1)
    .replace(/^-/, '')
    .slice(0, LIMITS.key)
    .replace(/-$/, '');
  return key === '' ? null : key;
}

/**
 * Returns the key of a workflow created in the editor: `workflow-{timestamp}`, in epoch milliseconds (specification,
 * section 4).
 */
export function newWorkflowKey(timestamp: number): string {
  return `workflow-${timestamp}`;
}

/**
 * Returns the key of a copy made in the editor: `{key}-copy-{timestamp}`; the source's key is cut if that would be too
 * long.
 */
export function editorCopyKey(key: string, timestamp: number): string {
  return withSuffix(key, `-copy-${timestamp}`);
}

/**
 * Returns the key of a copy made in the management list: `{key}-copy`, then `{key}-copy-2` and so on while `isTaken` is
 * true. The source's key is cut if that would be too long.
 */
export function listCopyKey(key: string, isTaken: (candidate: string) => boolean): string {
  let candidate = withSuffix(key, '-copy');
  for (let n = 2; isTaken(candidate); n += 1) candidate = withSuffix(key, `-copy-${n}`);
  return candidate;
}

function withSuffix(key: string, suffix: string): string {
  return key.slice(0, LIMITS.key - suffix.length) + suffix;
}
