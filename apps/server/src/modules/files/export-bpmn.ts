import type { WorkflowContent } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { contentToExport } from './content-to-export.ts';
import { writeBpmn } from './bpmn/write-bpmn.ts';

/** With more connections than this, a diagram takes seconds to write and is unreadable. */
const CONNECTIONS = 4000;

/**
 * Exports a workflow as BPMN 2.0 XML: the requested draft or version, otherwise the live version, otherwise the draft
 * that was changed last. Refuses a workflow with too many connections for a diagram.
 */
export const exportBpmn: Handler<'GET /api/workflows/{key}/export-bpmn'> = async ({ db }, { actor, params, query }) => {
  const content = await contentToExport(db, actor, params.key, { ...query, format: 'bpmn' }, refuseIfTooDense);
  return answer(Buffer.from(await writeBpmn(params.key, content)), {
    'content-type': 'application/xml; charset=utf-8',
    'content-disposition': `attachment; filename="${params.key}.bpmn"`,
  });
};

function refuseIfTooDense({ steps }: WorkflowContent): void {
  const connections = steps.reduce((sum, { next }) => sum + next.length, 0);
  if (connections <= CONNECTIONS) return;
  const problem = 'This workflow has too many connections for a diagram. Export it as YAML.';
  throw new Refused({ code: 'invalid', problems: [{ field: '', problem }] });
}
