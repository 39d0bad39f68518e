import type { WorkflowContent } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Database } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { findDraft } from '../drafts/reads.ts';
import { findShownVersion, findVersion } from '../workflows/reads.ts';

type Asked = { draftId?: string | undefined; version?: number | undefined };

/** What a file is made of: the draft or version that is named, else what is live, else the newest draft (rulings, section 4). */
export async function contentToExport(
  db: Database,
  actor: OrgActor,
  key: string,
  { draftId, version }: Asked,
): Promise<WorkflowContent> {
  const at = { orgId: actor.orgId, key };
  if (draftId !== undefined && version !== undefined) {
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'version', problem: 'is asked for beside a draft; ask for one of them' }],
    });
  }
  const content = await db.transaction(actor, (tx) => {
    if (draftId !== undefined) return tx.maybeOne(findDraft, { ...at, draftId });
    if (version !== undefined) return tx.maybeOne(findVersion, { ...at, number: version, id: null });
    return tx.maybeOne(findShownVersion, at);
  });
  if (content) return content;
  throw new Refused({
    code: 'not_found',
    what: draftId !== undefined ? 'draft' : version !== undefined ? 'version' : 'workflow',
  });
}
