import { Check } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import styles from './waitlist-card.module.css';

const EmailForm = lazyDialog(async () => (await import('./email-form.tsx')).EmailForm);

/** The card's states (specification, section 4). */
type Card = { state: 'closed' } | { state: 'open' } | { state: 'submitted'; email: string };
const CLOSED: Card = { state: 'closed' };

type WaitlistCardProps = {
  /** Called once the server has accepted an address, so that the count is refetched. */
  onJoined: () => void;
  onApply: (email: string) => void;
};

/** The button 'Get early access', and the card that replaces it (specification, sections 2 and 4). */
export function WaitlistCard({ onJoined, onApply }: WaitlistCardProps) {
  const [card, setCard] = useState<Card>(CLOSED);
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(card.state);
  const dismiss = () => setCard(CLOSED);

  // When the state changes, the focused element is removed, so move the focus to its replacement.
  useLayoutEffect(() => {
    if (before.current !== card.state) place.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    before.current = card.state;
  }, [card.state]);

  const dismissOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || card.state === 'closed') return;
    event.preventDefault();
    dismiss();
  };

  return (
    // The card handles keys from the controls inside it.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.waitlistCard} ref={place} onKeyDown={dismissOnEscape}>
      {card.state === 'closed' && (
        <Button tone="primary" size="lg" data-focus onClick={() => setCard({ state: 'open' })}>
          Get early access
        </Button>
      )}
      {card.state === 'open' && (
        <section className={styles.card} aria-labelledby="early-access">
          <h2 id="early-access" tabIndex={-1} data-focus>
            Get Early Access
          </h2>
          <EmailForm
            onJoined={(email) => {
              setCard({ state: 'submitted', email });
              onJoined();
            }}
            onClose={dismiss}
          />
        </section>
      )}
      {card.state === 'submitted' && (
        <section className={styles.card} aria-labelledby="on-the-list">
          <div className={styles.done}>
            <span className={styles.tick}>
              <Icon of={Check} />
            </span>
            <div>
              <h2 id="on-the-list" tabIndex={-1} data-focus>
                You're on the list!
              </h2>
              <p>Do you want to get on the priority list?</p>
            </div>
          </div>
          <div className={styles.actions}>
            <Button tone="primary" size="lg" onClick={() => onApply(card.email)}>
              Apply for priority list
            </Button>
            <Button tone="quiet" size="lg" onClick={dismiss}>
              Maybe later
            </Button>
          </div>
        </section>
      )}
    </div>
  );
}
