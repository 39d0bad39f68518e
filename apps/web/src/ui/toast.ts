import type { ReactNode } from 'react';

export type ToastTone = 'ok' | 'warn' | 'bad';
export type Toast = {
  id: number;
  tone: ToastTone;
  title: string;
  message?: ReactNode;
  action?: { label: string; run: () => void };
};

// One list for the page, outside React, so that any mutation can speak without a context.
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const show =
  (tone: ToastTone) =>
  (title: string, message?: ReactNode, action?: Toast['action']): number => {
    const id = nextId++;
    replace([...toasts, { id, tone, title, ...(message !== undefined && { message }), ...(action && { action }) }]);
    return id;
  };

/** Toasts confirm; what must be acted on also stands in its place on the page. */
export const toast = {
  ok: show('ok'),
  warn: show('warn'),
  bad: show('bad'),
  dismiss: (id: number): void => replace(toasts.filter((each) => each.id !== id)),
  clear: (): void => replace([]),
};

export const toastStore = {
  read: (): readonly Toast[] => toasts,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
