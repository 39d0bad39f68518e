/** A time in a response, or null if there is none. `ms` is in epoch milliseconds. */
export const iso = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString();

type ActorLike = {
  id: string;
  name: string;
  email?: string | undefined;
  kind: 'user' | 'system' | 'token';
  onBehalfOf?: { id: string; name: string; email: string };
};
/** Presents an actor. `email` is null for actors without an address, such as the system. */
export const presentActor = ({ id, name, email, kind, onBehalfOf }: ActorLike) => ({
  id,
  name,
  email: email === '' ? null : (email ?? null),
  kind,
  ...(onBehalfOf && { onBehalfOf }),
});
