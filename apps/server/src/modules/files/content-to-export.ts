import type { WorkflowContent } from '@stet/domain/workflows';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Database } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { findDraft } from '../drafts/index.ts';
import { findShownVersion, findVersion } from '../workflows/index.ts';

type Asked = { format: 'yaml' | 'json' | 'bpmn'; draftId?: string | undefined; version?: number | undefined };

/**
 * Finds the content to export: the requested draft or version, otherwise the live version, otherwise the draft that was
 * changed last. Records the export and its format in the same transaction, unless `check` refuses the content.
 */
export async function contentToExport(
  db: Database,
  actor: OrgActor,
  key: string,
  { draftId, version, format }: Asked,
  check?: (content: WorkflowContent) => void,
): Promise<WorkflowContent> {
  const at = { orgId: actor.orgId, key };
  if (draftId !== undefined && version !== undefined) {
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'version', problem: "can't be combined with a draft; choose one of them" }],
    });
  }
  const content = await db.transaction(actor, async (tx) => {
    const found = await (draftId !== undefined
      ? tx.maybeOne(findDraft, { ...at, draftId })
      : version !== undefined
        ? tx.maybeOne(findVersion, { ...at, number: version, id: null })
        : tx.maybeOne(findShownVersion, at));
    if (!found) return undefined;
    check?.(found);
    const data = { format, draftId: draftId ?? null, version: version ?? null };
    appendAudit(tx, [
      { ...auditActor(actor), action: 'workflow.exported', subject: { type: 'workflow', id: key }, data },
    ]);
    return found;
  });
  if (content) return content;
  throw new Refused({
    code: 'not_found',
    what: draftId !== undefined ? 'draft' : version !== undefined ? 'version' : 'workflow',
  });
}
