import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { checkedFile } from './checked-file.ts';
import { exportWorkflow } from './export-workflow.ts';
import { SCHEMA_PATH, fileSchema } from './file-schema.ts';
import { importWorkflow } from './import-workflow.ts';

export const fileHandlers = {
  'GET /api/workflows/{key}/export-yaml': exportWorkflow,
  'POST /api/workflows/{key}/import-yaml': importWorkflow,
  'POST /api/workflow-files/read': async (_deps, { query, body }) => answer(await checkedFile(body, query.format)),
  'GET /api/schemas/workflow.json': async ({ publicUrl }) =>
    answer(Buffer.from(JSON.stringify(fileSchema(publicUrl + SCHEMA_PATH), null, 2))),
} satisfies Partial<Handlers>;
