import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { checkedBpmn, checkedFile } from './checked-file.ts';
import { exportBpmn } from './export-bpmn.ts';
import { exportWorkflow } from './export-workflow.ts';
import { SCHEMA_PATH, fileSchema } from './file-schema.ts';
import { importBpmn } from './import-bpmn.ts';
import { importWorkflow } from './import-workflow.ts';

export const fileHandlers = {
  'GET /api/workflows/{key}/export-yaml': exportWorkflow,
  'POST /api/workflows/{key}/import-yaml': importWorkflow,
  'GET /api/workflows/{key}/export-bpmn': exportBpmn,
  'POST /api/workflows/{key}/import-bpmn': importBpmn,
  'POST /api/workflow-files/read': async (_deps, { query, body }) => {
    const { file, leftOut } = query.format === 'bpmn' ? await checkedBpmn(body) : await checkedFile(body, query.format);
    return answer({ ...file, leftOut });
  },
  'GET /api/schemas/workflow.json': async ({ publicUrl }) =>
    answer(Buffer.from(JSON.stringify(fileSchema(publicUrl + SCHEMA_PATH), null, 2))),
} satisfies Partial<Handlers>;
