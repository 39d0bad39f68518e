import type { User } from '@stet/contract';
import { createContext, useContext } from 'react';

export type Permission = User['orgPermissions'][number];
export type Organization = User['organizations'][number];

/**
 * The signed-in user. `source: 'token'` means that the server couldn't be reached or failed, so only the token's data
 * is known.
 */
export type SignedIn = { user: User; source: 'server' | 'token' };

export const SignedInContext = createContext<SignedIn | null>(null);

/** The signed-in user. Throws outside the signed-in part of the app. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('useSignedIn can be used only in the signed-in part of the app');
  return signedIn;
}

export const useUser = (): User => useSignedIn().user;

/** The selected organization; null if there is none or it is not known yet. */
export function useOrganization(): Organization | null {
  const { currentOrgId, organizations } = useUser();
  return organizations.find(({ id }) => id === currentOrgId) ?? null;
}

/** Whether the user has this permission in the selected organization. */
export function useCan(permission: Permission): boolean {
  return useUser().orgPermissions.includes(permission);
}

/** Whether the user's role includes this permission, but it is withheld until the user's address is proved. */
export function useIsWithheld(permission: Permission): boolean {
  return useUser().withheldPermissions.includes(permission);
}
