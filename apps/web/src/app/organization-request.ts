// Requests travel as navigation state, so that the current screen can block them if it has unsaved changes. Nothing is
// sent to the server before that.

/** Go to the editor's start page and select this organization there. */
export const switchRequest = (organizationId: string) => ({ switchTo: organizationId });
/** Open the dialog for a new organization. */
export const NEW_ORGANIZATION_REQUEST = { newOrganization: true } as const;

const fields = (state: unknown): Record<string, unknown> =>
  typeof state === 'object' && state !== null ? { ...state } : {};

export function readSwitchRequest(state: unknown): string | null {
  const { switchTo } = fields(state);
  return typeof switchTo === 'string' ? switchTo : null;
}

/** Reports that the server didn't select the organization, above the screen to which the person returns. */
export const switchFailure = (sentence: string) => ({ notSwitched: sentence });

export function readSwitchFailure(state: unknown): string | null {
  const { notSwitched } = fields(state);
  return typeof notSwitched === 'string' ? notSwitched : null;
}

export const isNewOrganizationRequest = (state: unknown): boolean => fields(state)['newOrganization'] === true;
