import type { WorkflowDocument } from '@stet/contract';
import type { Handler } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Database } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { presentDocument } from './document.presenter.ts';
import { findDocument } from './documentation.sql.ts';

/** The requested version, or the one that readers see by default. Refuses with `not_found` if there is none. */
export async function documentOf(
  db: Database,
  actor: OrgActor,
  { key, version }: { key: string; version: string | number | undefined },
): Promise<WorkflowDocument> {
  const row = await db.transaction(actor, (tx) =>
    tx.maybeOne(findDocument, {
      orgId: actor.orgId,
      key,
      number: typeof version === 'number' ? version : null,
      id: typeof version === 'string' ? version : null,
    }),
  );
  if (!row) throw new Refused({ code: 'not_found', what: version === undefined ? 'workflow' : 'version' });
  return presentDocument(row);
}

export const readDocument: Handler<'GET /api/workflows/{key}/document'> = async ({ db }, { actor, params, query }) =>
  answer(await documentOf(db, actor, { key: params.key, version: query.version }));
