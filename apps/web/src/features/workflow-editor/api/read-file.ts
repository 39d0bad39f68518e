import { api } from '../../../lib/api/api.ts';
import type { FileFormat, ReadFile } from '../model/workflow-file.ts';

const TYPES = { yaml: 'application/yaml', json: 'application/json', bpmn: 'application/xml' } as const;

/**
 * Makes the server parse a workflow file without importing it. Throws `ApiError`; an `invalid_file` error contains the
 * line and column, if they are known.
 */
export const readFile = (text: string, format: FileFormat): Promise<ReadFile> =>
  api('POST /api/workflow-files/read', {
    query: { format },
    body: text,
    headers: { 'content-type': TYPES[format] },
  });
