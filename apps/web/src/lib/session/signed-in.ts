import type { User } from '@stet/contract';
import { createContext, useContext } from 'react';

export type Permission = User['orgPermissions'][number];
export type Organization = User['organizations'][number];

/** Who is signed in. `source: 'token'`: the server couldn't be asked, so only the token's own words are known. */
export type SignedIn = { user: User; source: 'server' | 'token' };

export const SignedInContext = createContext<SignedIn | null>(null);

/** Only below the signed-in part of the app. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('useSignedIn needs a signed-in user above it');
  return signedIn;
}

export const useUser = (): User => useSignedIn().user;

/** The selected organization; null when there is none or it isn't known. */
export function useOrganization(): Organization | null {
  const { currentOrgId, organizations } = useUser();
  return organizations.find(({ id }) => id === currentOrgId) ?? null;
}

/** Whether the server granted this permission in the selected organization. */
export function useCan(permission: Permission): boolean {
  return useUser().orgPermissions.includes(permission);
}

/** Whether one's role has this permission and one's account doesn't until its address is proved. */
export function useIsWithheld(permission: Permission): boolean {
  return useUser().withheldPermissions.includes(permission);
}
