import { api } from '../../../lib/api/api.ts';
import type { FileFormat, ReadFile } from '../model/workflow-file.ts';

const TYPES = { yaml: 'application/yaml', json: 'application/json', bpmn: 'application/xml' } as const;

/** Has the server read a workflow file; nothing is imported by it. Throws `ApiError`; `invalid_file` names line and column. */
export const readFile = (text: string, format: FileFormat): Promise<ReadFile> =>
  api('POST /api/workflow-files/read', {
    query: { format },
    body: text,
    headers: { 'content-type': TYPES[format] },
  });
