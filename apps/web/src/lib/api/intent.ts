import { useState } from 'react';
import { ApiError } from './api-error.ts';
import { randomKey } from './random-key.ts';

export type Intent = {
  /** The key for sending this content; repeated while the last attempt with the same content got no response. */
  keyFor: (content: unknown) => string;
  /** Reports the result of an attempt; any response ends the intent, a lost response keeps it. */
  finish: (error?: unknown) => void;
};

/** Creates `Idempotency-Key`s: one per user intent, so that a retry after a lost response doesn't act twice. */
export function createIntent(makeKey: () => string): Intent {
  let open: { content: string; key: string } | null = null;
  return {
    keyFor: (content) => {
      const text = JSON.stringify(content) ?? '';
      if (open?.content !== text) open = { content: text, key: makeKey() };
      return open.key;
    },
    finish: (error) => {
      if (!(error instanceof ApiError && error.kind === 'offline')) open = null;
    },
  };
}

/** One intent for the lifetime of a component. */
export function useIntent(): Intent {
  const [intent] = useState(() => createIntent(randomKey));
  return intent;
}
