import { TOAST_MS } from '@stet/domain/defaults';
import { CircleCheck, CircleX, TriangleAlert, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { CSSProperties, RefObject } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { FIRST_PLACE, roomFor, toastPlace } from './toast-place.ts';
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

/** The toast area, in the corner of the window where it covers no control; once a page. */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const area = useRef<HTMLDivElement>(null);
  const { corner, head, foot } = useClearPlace(area, toasts);
  return (
    <div
      ref={area}
      className={classNames('toasts', corner)}
      style={{ '--head': `${head}px`, '--foot': `${foot}px` } as CSSProperties}
      role="region"
      aria-label="Notifications"
      // The area is there before what is said in it: what comes into the page with its words is passed over by some readers.
      aria-live="polite"
      aria-relevant="additions"
    >
      {toasts.map((each) => (
        <ToastCard key={each.id} {...each} />
      ))}
    </div>
  );
}

/** A toast outlives the screen that it came from: the place is looked for again when what is under it changes. */
const SETTLED_MS = 100;

function useClearPlace(area: RefObject<HTMLElement | null>, toasts: readonly Toast[]) {
  const [place, setPlace] = useState(FIRST_PLACE);
  useLayoutEffect(() => {
    if (toasts.length === 0) return;
    const settle = () => {
      const element = area.current;
      // What one points at, or is in, stays where it is.
      if (!element || element.matches(':hover, :focus-within')) return;
      setPlace((present) => {
        const next = toastPlace(roomFor(element), present.corner);
        const isSame = next.corner === present.corner && next.head === present.head && next.foot === present.foot;
        return isSame ? present : next;
      });
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settleSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLED_MS);
    };
    settle();
    const changes = new MutationObserver(settleSoon);
    changes.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('resize', settleSoon);
    document.addEventListener('focusin', settleSoon);
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      window.removeEventListener('resize', settleSoon);
      document.removeEventListener('focusin', settleSoon);
    };
  }, [area, toasts]);
  return place;
}
