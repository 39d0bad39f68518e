import { useEffect, useReducer, useRef } from 'react';
import { ApiError, errorSentence } from '../../../lib/api/api-error.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { CLOSED, maySend, nextCard } from '../model/card-state.ts';
import type { Card } from '../model/card-state.ts';
import { joinWaitlist } from './waitlist-calls.ts';

/** The error below the address (specification, section 8). */
const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? errorSentence(error, 'Failed to sign up') : 'Something went wrong';

type WaitlistCardActions = {
  card: Card;
  open: () => void;
  type: (email: string) => void;
  send: () => void;
  dismiss: () => void;
};

/** The card's state and actions. Calls `onJoined` once an address is accepted. */
export function useWaitlistCard(onJoined: () => void): WaitlistCardActions {
  const [card, dispatch] = useReducer(nextCard, CLOSED);
  const sending = useRef<AbortController | null>(null);
  const intent = useIntent();
  useEffect(() => () => sending.current?.abort(), []);

  const send = () => {
    if (card.state !== 'open' || !maySend(card)) return;
    const attempt = new AbortController();
    sending.current = attempt;
    const email = card.email.trim();
    dispatch({ type: 'sent' });
    joinWaitlist(email, { idempotencyKey: intent.keyFor(email), signal: attempt.signal }).then(
      () => {
        intent.finish();
        if (attempt.signal.aborted) return;
        dispatch({ type: 'accepted' });
        onJoined();
      },
      (error: unknown) => {
        if (attempt.signal.aborted) return;
        intent.finish(error);
        dispatch({ type: 'refused', error: sentenceOf(error) });
      },
    );
  };
  return {
    card,
    open: () => dispatch({ type: 'opened' }),
    type: (email) => dispatch({ type: 'typed', email }),
    send,
    dismiss: () => {
      sending.current?.abort();
      dispatch({ type: 'dismissed' });
    },
  };
}
