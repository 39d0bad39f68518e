import { requestUrl } from './api/request-url.ts';

type EditorQuery = {
  /** A workflow's key, or `new`. */
  key?: string;
  template?: string;
  mode?: 'select' | 'edit' | 'demo';
  draftId?: string;
  /** With `key=new`: the key of the workflow to begin a copy of. */
  duplicate?: string;
};

/** Every address of the app, in one place (specification, section 2). */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  app: '/app',
  editor: (query: EditorQuery = {}) => requestUrl('/app/editor', {}, query),
  runs: '/app/runs',
  run: (runId: string) => requestUrl('/app/runs/{runId}', { runId }),
} as const;

/** A place inside the app to return to after signing in; anything else is answered with the app's start. */
export function safeReturnPath(candidate: unknown): string {
  if (typeof candidate !== 'string') return paths.app;
  return candidate === '/app' || candidate.startsWith('/app/') ? candidate : paths.app;
}
