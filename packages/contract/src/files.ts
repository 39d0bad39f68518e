import { z } from 'zod';
import type { Routes } from './route.ts';
import { id } from './shared.ts';
import { contentFields, metadata, steps, workflowKey, workflowParams } from './workflow-content.ts';

const MEBIBYTE = 1024 * 1024;
const format = z.enum(['yaml', 'json']).default('yaml');

/** A file's text. The use case parses it, because it can report the position of a problem. */
const fileText = z.string();

/** Which version to export instead of the live one. */
const exported = {
  draftId: id.optional(),
  version: z.coerce.number().int().positive().max(2_000_000_000).optional(),
};

/** Parts that an import omits: the kind, the name (or ''), and the reason. */
const leftOut = z.array(z.object({ what: z.string(), name: z.string(), reason: z.string() }));

/**
 * A workflow file, as YAML or JSON. `key` records the workflow's origin; the URL of the import selects the target. An
 * import without `metadata` leaves the workflow's metadata unchanged.
 */
export const workflowFile = z
  .strictObject({
    $schema: z.string().optional().describe('URL of this schema, for editors'),
    stet: z.literal(1).optional().describe('Version of the format'),
    key: workflowKey.optional().describe('The workflow that the file was exported from'),
    metadata: metadata.optional(),
    steps,
  })
  .meta({ title: 'Stet workflow', description: 'A workflow in the format of exports and imports' });

/** Workflows as files. */
export const fileRoutes = {
  'GET /api/workflows/{key}/export-yaml': {
    access: 'workflow.read',
    summary: 'A workflow as a file: the live version, or the requested draft or version; format=json for JSON',
    params: workflowParams,
    query: z.strictObject({ format, ...exported }),
    ok: { contentType: 'application/yaml' },
  },
  'POST /api/workflows/{key}/import-yaml': {
    access: 'draft.edit',
    summary:
      'Create a draft from a workflow file: YAML, or JSON with format=json; unknown fields of JSON are left out and named',
    params: workflowParams,
    query: z.strictObject({ format }),
    body: fileText,
    bodyKind: 'text',
    bodyLimit: 2 * MEBIBYTE,
    ok: z.object({ draftId: id, revision: z.number().int(), leftOut }),
    status: 201,
  },
  'GET /api/workflows/{key}/export-bpmn': {
    access: 'workflow.read',
    summary: 'A workflow as BPMN 2.0 XML with its diagram: the live version, or the requested draft or version',
    params: workflowParams,
    query: z.strictObject(exported),
    ok: { contentType: 'application/xml' },
  },
  'POST /api/workflows/{key}/import-bpmn': {
    access: 'draft.edit',
    summary: 'Create a draft from a BPMN 2.0 process; unsupported elements are omitted and listed in the response',
    params: workflowParams,
    body: fileText,
    bodyKind: 'text',
    bodyLimit: 2 * MEBIBYTE,
    ok: z.object({ draftId: id, revision: z.number().int(), leftOut }),
    status: 201,
  },
  'POST /api/workflow-files/read': {
    access: 'draft.edit',
    summary: 'Check a workflow file without importing it; problems include line and column',
    query: z.strictObject({ format: z.enum(['yaml', 'json', 'bpmn']).default('yaml') }),
    body: fileText,
    bodyKind: 'text',
    bodyLimit: 2 * MEBIBYTE,
    ok: z.object({
      key: z.string().nullable(),
      metadata: contentFields.metadata.nullable(),
      steps: contentFields.steps,
      /** Parts of a BPMN file that a workflow can't have or that can't be read, and unknown fields of a JSON file. */
      leftOut,
    }),
  },
  'GET /api/schemas/workflow.json': {
    access: 'public',
    summary: 'The JSON Schema of the workflow file format',
    ok: { contentType: 'application/schema+json' },
  },
} satisfies Routes;
