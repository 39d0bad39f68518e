/**
 * `answer`: the server responded with an error status. `offline`: no complete response arrived, so it is unknown
 * whether the server received the request.
 */
type ApiErrorKind = 'answer' | 'offline';

type Answer = { status: number; code: string; message: string; details?: readonly unknown[] };

/** Thrown if the server refuses a call or can't be reached. `message` is empty if the server sent none. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** HTTP status; 0 when offline. */
  readonly status: number;
  /** A code for programs: `step_not_active`, `offline`, … */
  readonly code: string;
  readonly details: readonly unknown[];

  constructor(kind: ApiErrorKind, { status, code, message, details = [] }: Answer) {
    super(message);
    this.name = 'ApiError';
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const offlineError = (): ApiError =>
  new ApiError('offline', {
    status: 0,
    code: 'offline',
    message: 'The server can’t be reached. Check the connection and try again.',
  });

/** The message to show: the fallback if the error isn't an `ApiError` or its message is empty. */
export function errorSentence(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback;
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

export const isCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

// Longer texts are error pages from a proxy rather than messages (specification, section 7).
const TEXT_LIMIT = 200;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Parses a refusal's body. The message of a JSON object or list is its field `error`, or empty if it has none. For any
 * other text, the message is its first 200 characters.
 */
export function readRefusal(status: number, text: string): ApiError {
  try {
    const body: unknown = JSON.parse(text);
    if (isRecord(body)) {
      return new ApiError('answer', {
        status,
        code: typeof body['code'] === 'string' ? body['code'] : 'unknown',
        message: typeof body['error'] === 'string' ? body['error'] : '',
        details: Array.isArray(body['details']) ? body['details'] : [],
      });
    }
  } catch {
    // If the body isn't JSON, its text is the message.
  }
  return new ApiError('answer', { status, code: 'unknown', message: text.trim().slice(0, TEXT_LIMIT) });
}
