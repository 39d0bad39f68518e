/**
 * Cache keys of the editor. Lists of workflows share the first part of their key, so that one call invalidates all of
 * them.
 */
export const editorKeys = {
  workflows: (organizationId: string) => ['workflows', organizationId] as const,
  workflow: (key: string) => ['workflow', key] as const,
  draft: (key: string, draftId: string) => ['draft', key, draftId] as const,
  versions: (key: string) => ['workflows', key, 'versions'] as const,
  version: (key: string, version: number) => ['version', key, version] as const,
  source: (address: string) => ['editor-source', address] as const,
  assignees: (organizationId: string) => ['assignees', organizationId] as const,
};
