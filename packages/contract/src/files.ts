import { z } from 'zod';
import type { Routes } from './route.ts';
import { id } from './shared.ts';
import { contentFields, metadata, steps, workflowKey, workflowParams } from './workflow-content.ts';

const MEBIBYTE = 1024 * 1024;
const format = z.enum(['yaml', 'json']).default('yaml');

/** A file's text. It is read by the use case, which can say where in it a problem is. */
const fileText = z.string();

/** Which content is exported, where it isn't what is live. */
const exported = {
  draftId: id.optional(),
  version: z.coerce.number().int().positive().max(2_000_000_000).optional(),
};

/** What of a file is left out: what it is, its name (or ''), and why. */
const leftOut = z.array(z.object({ what: z.string(), name: z.string(), reason: z.string() }));

/**
 * A workflow file, as YAML and as JSON (rulings, section 4). `key` says where it came from; the address of an import says
 * where it goes. Without `metadata` an import keeps what the workflow has.
 */
export const workflowFile = z
  .strictObject({
    $schema: z.string().optional().describe('The address of this schema, for editors'),
    stet: z.literal(1).optional().describe('Version of the format'),
    key: workflowKey.optional().describe('The workflow that the file was exported from'),
    metadata: metadata.optional(),
    steps,
  })
  .meta({ title: 'Stet workflow', description: 'A workflow as it is exported and imported' });

/** Workflows as files (rulings, section 4). */
export const fileRoutes = {
  'GET /api/workflows/{key}/export-yaml': {
    access: 'workflow.read',
    summary: 'A workflow as a file: what is live, or the draft or version that is named; format=json for JSON',
    params: workflowParams,
    query: z.strictObject({ format, ...exported }),
    ok: { contentType: 'application/yaml' },
  },
  'POST /api/workflows/{key}/import-yaml': {
    access: 'draft.edit',
    summary: 'Make a draft of a workflow file, YAML or (format=json) JSON',
    params: workflowParams,
    query: z.strictObject({ format }),
    body: fileText,
    bodyKind: 'text',
    bodyLimit: 2 * MEBIBYTE,
    ok: z.object({ draftId: id, revision: z.number().int() }),
    status: 201,
  },
  'GET /api/workflows/{key}/export-bpmn': {
    access: 'workflow.read',
    summary: 'A workflow as BPMN 2.0 XML with its picture: what is live, or the draft or version that is named',
    params: workflowParams,
    query: z.strictObject(exported),
    ok: { contentType: 'application/xml' },
  },
  'POST /api/workflows/{key}/import-bpmn': {
    access: 'draft.edit',
    summary: 'Make a draft of a BPMN 2.0 process; what a workflow does not have is left out and named',
    params: workflowParams,
    body: fileText,
    bodyKind: 'text',
    bodyLimit: 2 * MEBIBYTE,
    ok: z.object({ draftId: id, revision: z.number().int(), leftOut }),
    status: 201,
  },
  'POST /api/workflow-files/read': {
    access: 'draft.edit',
    summary: 'What a workflow file says, without importing it; a problem names line and column',
    query: z.strictObject({ format: z.enum(['yaml', 'json', 'bpmn']).default('yaml') }),
    body: fileText,
    bodyKind: 'text',
    bodyLimit: 2 * MEBIBYTE,
    ok: z.object({
      key: z.string().nullable(),
      metadata: contentFields.metadata.nullable(),
      steps: contentFields.steps,
      /** Of a BPMN file: what a workflow doesn't have. */
      leftOut,
    }),
  },
  'GET /api/schemas/workflow.json': {
    access: 'public',
    summary: 'The JSON Schema of the workflow file format',
    ok: { contentType: 'application/schema+json' },
  },
} satisfies Routes;
