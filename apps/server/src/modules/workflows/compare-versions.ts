import { diffContent, removedBehind } from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { presentVersion } from './version.presenter.ts';
import { findVersionOrDraft, versionOf } from './workflows.sql.ts';

/** Compares two versions or drafts of a workflow. Either can be the older one. */
export const compareVersions: Handler<'GET /api/workflows/{key}/compare'> = async (
  { db },
  { actor, params, query },
) => {
  const at = { orgId: actor.orgId, key: params.key };
  const [from, to] = await db.transaction(actor, (tx) =>
    Promise.all([
      tx.maybeOne(findVersionOrDraft, { ...at, ...versionOf({ version: query.from }) }),
      tx.maybeOne(findVersionOrDraft, { ...at, ...versionOf({ version: query.to }) }),
    ]),
  );
  if (!from || !to) throw new Refused({ code: 'not_found', what: 'version' });
  const { summary, detailed, metadata } = diffContent(from, to);
  const titles = new Map([...from.steps, ...to.steps].map(({ id, title }) => [id, title]));
  const shown = detailed.slice(0, query.limit);
  const behind = removedBehind(from.steps, to.steps);
  return answer({
    from: { ...presentVersion(from), metadata: from.metadata },
    to: { ...presentVersion(to), metadata: to.metadata },
    summary,
    total: detailed.length,
    detailed: shown.map((entry) => ({
      ...entry,
      ...(entry.type === 'modified' && { title: titles.get(entry.id) ?? entry.id }),
      ...(entry.type === 'removed' && { behind: behind.get(entry.id) ?? null }),
    })),
    metadata,
    titles: Object.fromEntries(
      [...textsIn(shown)].flatMap((text) => {
        const title = titles.get(text);
        return title === undefined ? [] : [[text, title]];
      }),
    ),
  });
};

/**
 * The texts in a value that can be step ids: whole strings, and the words of conditions and templates. With them, the
 * response contains only the titles that these changes need.
 */
function textsIn(value: unknown, found = new Set<string>(), key = ''): Set<string> {
  if (typeof value === 'string') {
    found.add(value);
    if (key === 'condition' || key === 'template') for (const [word] of value.matchAll(/[\w-]+/g)) found.add(word);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) textsIn(inner, found, name);
  }
  return found;
}
