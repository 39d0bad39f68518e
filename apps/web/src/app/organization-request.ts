// What is asked for travels as the state of a navigation: so the screen that is left can hold it up when it has unsaved
// changes, and nothing is asked of the server before it let go.

/** Go to the editor's start and select this organization there. */
export const switchRequest = (organizationId: string) => ({ switchTo: organizationId });
/** Open the dialog for a new organization. */
export const NEW_ORGANIZATION_REQUEST = { newOrganization: true } as const;

const fields = (state: unknown): Record<string, unknown> =>
  typeof state === 'object' && state !== null ? { ...state } : {};

export function readSwitchRequest(state: unknown): string | null {
  const { switchTo } = fields(state);
  return typeof switchTo === 'string' ? switchTo : null;
}

export const isNewOrganizationRequest = (state: unknown): boolean => fields(state)['newOrganization'] === true;
