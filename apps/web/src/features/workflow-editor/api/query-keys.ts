/** Cache keys of the editor. Lists of workflows share their first part, so that one call invalidates all. */
export const editorKeys = {
  workflows: (organizationId: string) => ['workflows', organizationId] as const,
  workflow: (key: string) => ['workflow', key] as const,
  draft: (key: string, draftId: string) => ['draft', key, draftId] as const,
  source: (address: string) => ['editor-source', address] as const,
  assignees: (organizationId: string) => ['assignees', organizationId] as const,
};
