import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { contentToExport } from './content-to-export.ts';
import { SCHEMA_PATH } from './file-schema.ts';
import { writeWorkflowFile } from './write-workflow-file.ts';

/**
 * Exports a workflow as YAML or JSON: the requested draft or version, otherwise the live version, otherwise the draft
 * that was changed last.
 */
export const exportWorkflow: Handler<'GET /api/workflows/{key}/export-yaml'> = async (
  { db, publicUrl },
  { actor, params, query },
) => {
  const { format } = query;
  const content = await contentToExport(db, actor, params.key, query);
  const text = writeWorkflowFile(params.key, content, format, publicUrl + SCHEMA_PATH);
  return answer(Buffer.from(text), {
    'content-type': format === 'json' ? 'application/json; charset=utf-8' : 'application/yaml; charset=utf-8',
    'content-disposition': `attachment; filename="${params.key}.${format}"`,
  });
};
