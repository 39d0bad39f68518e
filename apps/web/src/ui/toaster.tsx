import { TOAST_MS } from '@stet/domain/defaults';
import { CircleCheck, CircleX, TriangleAlert, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { toast, toastStore } from './toast.ts';
import type { Toast, ToastTone } from './toast.ts';
import './toaster.css';

const ICONS = { ok: CircleCheck, warn: TriangleAlert, bad: CircleX } satisfies Record<ToastTone, LucideIcon>;

function ToastCard({ id, tone, title, message, action }: Toast) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || tone === 'bad') return;
    const timer = setTimeout(() => toast.dismiss(id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [held, id, tone]);
  return (
    <div
      className={classNames('toast', tone)}
      role={tone === 'bad' ? 'alert' : 'status'}
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
        <button
          type="button"
          className="link xs"
          onClick={() => {
            toast.dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label="Dismiss" icon={X} size="sm" onClick={() => toast.dismiss(id)} />
    </div>
  );
}

/** The toast area, top right; once a page. */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  return (
    <div className="toasts" role="region" aria-label="Notifications">
      {toasts.map((each) => (
        <ToastCard key={each.id} {...each} />
      ))}
    </div>
  );
}
