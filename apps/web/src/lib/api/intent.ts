import { useState } from 'react';
import { ApiError } from './api-error.ts';
import { randomKey } from './random-key.ts';

export type Intent = {
  /** The key for sending this content. It is reused if the last attempt with the same content got no response. */
  keyFor: (content: unknown) => string;
  /** Reports an attempt's result. Any response ends the intent; if the response was lost, the intent continues. */
  finish: (error?: unknown) => void;
};

/** Creates one `Idempotency-Key` per user intent, so that a retry after a lost response isn't executed twice. */
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
