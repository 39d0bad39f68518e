import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { findDraft } from '../drafts/reads.ts';
import { findShownVersion, findVersion } from '../workflows/reads.ts';
import { SCHEMA_PATH } from './file-schema.ts';
import { writeWorkflowFile } from './write-workflow-file.ts';

/** A workflow as a file: what is live, else its newest draft; or the draft or version that is named (rulings, section 4). */
export const exportWorkflow: Handler<'GET /api/workflows/{key}/export-yaml'> = async (
  { db, publicUrl },
  { actor, params, query },
) => {
  const at = { orgId: actor.orgId, key: params.key };
  const { draftId, version, format } = query;
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
  if (!content)
    throw new Refused({
      code: 'not_found',
      what: draftId !== undefined ? 'draft' : version !== undefined ? 'version' : 'workflow',
    });
  const text = writeWorkflowFile(params.key, content, format, publicUrl + SCHEMA_PATH);
  return answer(Buffer.from(text), {
    'content-type': format === 'json' ? 'application/json; charset=utf-8' : 'application/yaml; charset=utf-8',
    'content-disposition': `attachment; filename="${params.key}.${format}"`,
  });
};
