import { workflowFile } from '@stet/contract';
import { z } from 'zod';

export const SCHEMA_PATH = '/api/schemas/workflow.json';

/** The JSON Schema of workflow files, derived from the schema of the import. `address` is its public URL. */
export function fileSchema(address: string): Record<string, unknown> {
  return { $id: address, ...z.toJSONSchema(workflowFile, { io: 'input' }) };
}
