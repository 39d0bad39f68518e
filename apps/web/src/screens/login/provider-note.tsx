import { outcomeSentence } from '../../features/accounts/model/provider-outcome.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { Note } from '../../ui/note.tsx';
import type { ProviderArrival } from './use-provider-arrival.ts';

/** The result of a provider sign-in that failed or isn't finished. */
export function ProviderNote({ arrival, label }: { arrival: ProviderArrival; label: string | null }) {
  switch (arrival.state) {
    case 'none':
    case 'entering':
      return null;
    case 'turned_back':
      return <Note tone="bad">{outcomeSentence(arrival.outcome, label)}</Note>;
    case 'connect':
      return <Note tone="warn">{arrival.sentence}</Note>;
    case 'failed':
      return <Note tone="bad">{errorSentence(arrival.error, outcomeSentence('failed', label))}</Note>;
  }
}
