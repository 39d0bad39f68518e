import { type WorkflowContent, metadataOf } from '@stet/domain/workflows';
import { stringify } from 'yaml';
import type { FileFormat } from './read-workflow-file.ts';

/** Writes a workflow file. When it is imported, the content has the same hash. */
export function writeWorkflowFile(
  key: string,
  content: WorkflowContent,
  format: FileFormat,
  schemaUrl: string,
): string {
  const steps = content.steps.map(({ id, type, title, description, assignee, sla, config, next }) => ({
    id,
    type,
    title,
    description,
    assignee,
    sla,
    config,
    next,
  }));
  const file = { stet: 1, key, metadata: metadataOf((field) => content.metadata[field]), steps };
  if (format === 'json') return `${JSON.stringify({ $schema: schemaUrl, ...file }, null, 2)}\n`;
  const body = stringify(file, {
    version: '1.2',
    schema: 'core',
    lineWidth: 0,
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
  });
  return `# yaml-language-server: $schema=${schemaUrl}\n${body}`;
}
