/** The result of a sign-in at the provider. The login page reads it from its own address. */
export type ProviderOutcome = 'ready' | 'denied' | 'expired' | 'unverified' | 'unavailable' | 'failed';

const SENTENCES: Record<Exclude<ProviderOutcome, 'ready'>, (label: string) => string> = {
  denied: (label) => `Signing in with ${label} was cancelled or not allowed. Nothing was changed.`,
  expired: () => 'This sign-in took too long, or you started another one in this browser. Please try again.',
  unverified: (label) => `${label} has not confirmed your email address, so it can’t sign you in here.`,
  unavailable: (label) => `${label} can’t be reached at the moment. Please try again later.`,
  failed: (label) => `Signing in with ${label} failed. Please try again.`,
};

const isFailure = (text: string): text is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, text);

/** Reads the outcome from the address. Returns null if there is none; an unknown outcome counts as a failure. */
export function readOutcome(search: URLSearchParams): ProviderOutcome | null {
  const param = search.get('sso');
  if (param === null || param === 'ready') return param;
  return isFailure(param) ? param : 'failed';
}

/** The reason why the sign-in failed. `label` is the provider's name, if known. */
export function outcomeSentence(outcome: Exclude<ProviderOutcome, 'ready'>, label: string | null): string {
  if (label !== null) return SENTENCES[outcome](label);
  const sentence = SENTENCES[outcome]('the sign-in service');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
