// Switches are requested through navigation state, so that the current screen can block them if it has unsaved changes.
// Nothing is sent to the server until the navigation is allowed.

/** Navigation state that selects this organization. Use it with the address of the editor's start page. */
export const switchRequest = (organizationId: string) => ({ switchTo: organizationId });
/** Navigation state that opens the dialog for a new organization. */
export const NEW_ORGANIZATION_REQUEST = { newOrganization: true } as const;

const fields = (state: unknown): Record<string, unknown> =>
  typeof state === 'object' && state !== null ? { ...state } : {};

export function readSwitchRequest(state: unknown): string | null {
  const { switchTo } = fields(state);
  return typeof switchTo === 'string' ? switchTo : null;
}

/** Navigation state that makes the page's frame report a failed switch. */
export const switchFailure = (sentence: string) => ({ notSwitched: sentence });

export function readSwitchFailure(state: unknown): string | null {
  const { notSwitched } = fields(state);
  return typeof notSwitched === 'string' ? notSwitched : null;
}

export const isNewOrganizationRequest = (state: unknown): boolean => fields(state)['newOrganization'] === true;
