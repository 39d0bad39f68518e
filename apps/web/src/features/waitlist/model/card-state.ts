/** The states of the waitlist card (specification, section 4). Sending is between open and submitted. */
export type Card =
  | { state: 'closed' }
  | { state: 'open'; email: string; error: string | null }
  | { state: 'sending'; email: string }
  | { state: 'submitted'; email: string };

export type CardEvent =
  | { type: 'opened' }
  | { type: 'typed'; email: string }
  | { type: 'sent' }
  | { type: 'accepted' }
  | { type: 'refused'; error: string }
  /** Cancel, Maybe later or Escape discards the input and errors. */
  | { type: 'dismissed' };

export const CLOSED: Card = { state: 'closed' };

export const maySend = (card: Card): boolean => card.state === 'open' && card.email.trim() !== '';

/** The card's state after an event. An event that doesn't fit the state is ignored. */
export function nextCard(card: Card, event: CardEvent): Card {
  switch (event.type) {
    case 'opened':
      return card.state === 'closed' ? { state: 'open', email: '', error: null } : card;
    case 'typed':
      return card.state === 'open' ? { state: 'open', email: event.email, error: null } : card;
    case 'sent':
      return card.state === 'open' && maySend(card) ? { state: 'sending', email: card.email.trim() } : card;
    case 'accepted':
      return card.state === 'sending' ? { state: 'submitted', email: card.email } : card;
    case 'refused':
      return card.state === 'sending' ? { state: 'open', email: card.email, error: event.error } : card;
    case 'dismissed':
      return CLOSED;
  }
}
