import { useEffect, useEffectEvent } from 'react';
import type { ReactNode } from 'react';

export type ToastTone = 'ok' | 'warn' | 'bad';
type ToastOptions = {
  action?: { label: string; run: () => void };
  /** For a toast shown just before another screen opens. It stays visible on that screen. */
  forNextScreen?: boolean;
  /**
   * For a toast about the screen that has just opened. It doesn't replace a toast that the previous screen showed for
   * this screen (`forNextScreen`).
   */
  onArrival?: boolean;
};
export type Toast = ToastOptions & { id: number; tone: ToastTone; title: string; message?: ReactNode };

// The state is outside React, so that any mutation can show a toast without a context.
let current: Toast | null = null;
let screen: string | null = null;
let nextId = 1;
const listeners = new Set<() => void>();

function replace(next: Toast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

const show =
  (tone: ToastTone) =>
  (title: string, message?: ReactNode, options: ToastOptions = {}): number => {
    const id = nextId++;
    const wasAnnounced = current?.forNextScreen === false;
    if (!(options.onArrival && wasAnnounced))
      replace({ id, tone, title, ...(message !== undefined && { message }), ...options });
    return id;
  };

/**
 * Shows one toast at a time. If the person must act on an error, use `useErrorToast`, which is tied to an error on the
 * page.
 */
export const toast = {
  ok: show('ok'),
  warn: show('warn'),
  bad: show('bad'),
  dismiss: (id: number): void => {
    if (current?.id === id) replace(null);
  },
  clear: (): void => replace(null),
};

export const toastStore = {
  read: (): Toast | null => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /**
   * Called when another screen opens. Removes the previous screen's toast, unless it is for the next screen. `opened` is
   * null during a redirect to a screen.
   */
  enter: (opened: string | null): void => {
    if (opened === null || opened === screen) return;
    screen = opened;
    if (current) replace(current.forNextScreen ? { ...current, forNextScreen: false } : null);
  },
};

/**
 * Announces an error that is shown on the page, once for each `cause`. The toast is removed together with the error.
 */
export function useErrorToast(cause: unknown, title: string, message?: string, tone: 'warn' | 'bad' = 'bad'): void {
  const show = useEffectEvent(() => toast[tone](title, message));
  useEffect(() => {
    if (!cause) return;
    const id = show();
    return () => toast.dismiss(id);
  }, [cause]);
}
