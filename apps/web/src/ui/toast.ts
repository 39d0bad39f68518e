import { useEffect, useEffectEvent } from 'react';
import type { ReactNode } from 'react';

export type ToastTone = 'ok' | 'warn' | 'bad';
type ToastOptions = {
  action?: { label: string; run: () => void };
  /** For a toast shown just before its sender opens another screen: it appears there, too. */
  forNextScreen?: boolean;
  /** For a toast that says what has just opened: it doesn't replace the one that announced it. */
  onArrival?: boolean;
};
export type Toast = ToastOptions & { id: number; tone: ToastTone; title: string; message?: ReactNode };

// Outside React, so that any mutation can show a toast without a context.
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

/** Shows one toast at a time. An error that needs an action is also shown on the page: see `useErrorToast`. */
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
  /** Another screen was opened: the previous screen's toast is removed. */
  enter: (opened: string): void => {
    if (opened === screen) return;
    screen = opened;
    if (current) replace(current.forNextScreen ? { ...current, forNextScreen: false } : null);
  },
};

/** Announces an error shown on the page, once for each `cause`; the toast is removed with the error. */
export function useErrorToast(cause: unknown, title: string, message?: string, tone: 'warn' | 'bad' = 'bad'): void {
  const show = useEffectEvent(() => toast[tone](title, message));
  useEffect(() => {
    if (!cause) return;
    const id = show();
    return () => toast.dismiss(id);
  }, [cause]);
}
