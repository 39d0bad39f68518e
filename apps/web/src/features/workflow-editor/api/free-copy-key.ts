import { listCopyKey } from '@stet/domain/workflows';
import { api } from '../../../lib/api/api.ts';

/** A free key for a copy: `{key}-copy`, or `{key}-copy-2` and so on if it is taken. */
export async function freeCopyKey(key: string): Promise<string> {
  const wanted = listCopyKey(key, () => false);
  const found = await api('GET /api/workflows', { query: { q: wanted.slice(0, 100), limit: 200 } });
  const taken = new Set(found.map((workflow) => workflow.key));
  return listCopyKey(key, (candidate) => taken.has(candidate));
}
