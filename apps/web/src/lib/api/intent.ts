import { useState } from 'react';
import { ApiError } from './api-error.ts';
import { randomKey } from './random-key.ts';

export type Intent = {
  /** The key for sending this content; the same again while the last try of the same content had no answer. */
  keyFor: (content: unknown) => string;
  /** Tells how the try ended; an answer of any kind ends the intent, silence keeps it. */
  settle: (error?: unknown) => void;
};

/** Makes `Idempotency-Key`s: one a user's intent, so that trying again after silence doesn't do the thing twice. */
export function createIntent(makeKey: () => string): Intent {
  let open: { content: string; key: string } | null = null;
  return {
    keyFor: (content) => {
      const text = JSON.stringify(content) ?? '';
      if (open?.content !== text) open = { content: text, key: makeKey() };
      return open.key;
    },
    settle: (error) => {
      if (!(error instanceof ApiError && error.kind === 'offline')) open = null;
    },
  };
}

/** One intent for the life of a component. */
export function useIntent(): Intent {
  const [intent] = useState(() => createIntent(randomKey));
  return intent;
}
