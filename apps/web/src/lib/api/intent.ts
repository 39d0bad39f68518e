import { useState } from 'react';
import { ApiError } from './api-error.ts';
import { randomKey } from './random-key.ts';

export type Intent = {
  /** The key for sending this content. It stays the same until the content changes or the intent ends. */
  keyFor: (content: unknown) => string;
  /** Reports an attempt's result, which ends the intent, unless the error says that no response arrived. */
  finish: (error?: unknown) => void;
};

/** Creates one `Idempotency-Key` per user intent, so that a change isn't made twice if its response was lost. */
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

/** The same `Intent` for a component's lifetime. */
export function useIntent(): Intent {
  const [intent] = useState(() => createIntent(randomKey));
  return intent;
}
