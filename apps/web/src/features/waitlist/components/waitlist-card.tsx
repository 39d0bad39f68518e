import { Check } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useWaitlistCard } from '../api/use-waitlist-card.ts';
import { EmailForm } from './email-form.tsx';
import styles from './waitlist-card.module.css';

type WaitlistCardProps = {
  /** Called when an address was accepted, which changes the count. */
  onJoined: () => void;
  onApply: (email: string) => void;
};

/** The button 'Get early access', and the card that replaces it (specification, sections 2 and 4). */
export function WaitlistCard({ onJoined, onApply }: WaitlistCardProps) {
  const { card, open, type, send, dismiss } = useWaitlistCard(onJoined);
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(card.state);

  // When the state changes, the focused element is removed, so move the focus to its replacement.
  useLayoutEffect(() => {
    if (before.current !== card.state && card.state !== 'sending') {
      place.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    }
    before.current = card.state;
  }, [card.state]);

  const dismissOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || card.state === 'closed') return;
    event.preventDefault();
    dismiss();
  };

  return (
    // This handles keys from the controls inside.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.waitlistCard} ref={place} onKeyDown={dismissOnEscape}>
      {card.state === 'closed' && (
        <Button tone="primary" size="lg" data-focus onClick={open}>
          Get early access
        </Button>
      )}
      {(card.state === 'open' || card.state === 'sending') && (
        <section className={styles.card} aria-labelledby="early-access">
          <h2 id="early-access">Get Early Access</h2>
          <EmailForm
            email={card.email}
            error={card.state === 'open' ? card.error : null}
            isSending={card.state === 'sending'}
            onType={type}
            onSend={send}
            onCancel={dismiss}
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
          <div className={styles.acts}>
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
