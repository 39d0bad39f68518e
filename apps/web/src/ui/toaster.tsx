import { TOAST_MS } from '@stet/presentation/constants';
import { CircleCheck, CircleX, TriangleAlert, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { barsAtEdges } from './bars.ts';
import { IconButton, LinkButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { toast, toastStore } from './toast.ts';
import type { Toast, ToastTone } from './toast.ts';
import styles from './toaster.module.css';

const ICONS = { ok: CircleCheck, warn: TriangleAlert, bad: CircleX } satisfies Record<ToastTone, LucideIcon>;

function placeUnderBars(card: HTMLElement | null): void {
  if (card) card.style.marginTop = `${barsAtEdges().head}px`;
}

function ToastCard({ id, tone, title, message, action, forNextScreen = false }: Toast) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    // The toast must stay until the next screen has loaded, which can take longer than a toast is usually shown.
    if (held || forNextScreen) return;
    const timer = setTimeout(() => toast.dismiss(id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [held, forNextScreen, id]);
  return (
    <div
      ref={placeUnderBars}
      className={classNames(styles.toast, styles[tone])}
      role={tone === 'bad' ? 'alert' : undefined}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon of={ICONS[tone]} />
      <div className="grow">
        <b>{title}</b>
        {message && <span className="two">{message}</span>}
      </div>
      {action && (
        <LinkButton
          small
          onClick={() => {
            toast.dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </LinkButton>
      )}
      <IconButton className={styles.dismiss} label="Dismiss" icon={X} size="sm" onClick={() => toast.dismiss(id)} />
    </div>
  );
}

/**
 * The toast area at the top right, below the bars. Use it once per page. `screen` identifies the open screen; when it
 * changes, the previous screen's toast is removed, unless it is for the next screen.
 */
export function Toaster({ screen }: { screen: string | null }) {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  // The store must know the new screen before its effects run, because they may show a toast.
  useLayoutEffect(() => toastStore.enter(screen), [screen]);
  return (
    <div
      className={styles.toasts}
      role="region"
      aria-label="Notifications"
      // The live region exists before its text, because some screen readers ignore text that is inserted together with
      // its region.
      aria-live="polite"
      aria-relevant="additions"
    >
      {shown && <ToastCard key={shown.id} {...shown} />}
    </div>
  );
}
