import { screen, waitFor, within } from '@testing-library/react';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRun, aToken, aUser } from '../../testing/records.ts';
import { renderApp } from '../../testing/render-app.tsx';

/** Serves a running run for a person who can act on it. */
export function startRunServer(): FakeServer {
  // Each test uses a different user, because unsent input is stored in the browser.
  const me = aUser({ id: crypto.randomUUID() });
  return startFakeServer()
    .on('GET /api/auth/me', { json: me })
    .on('GET /api/runs/*', { json: aRun() })
    .on('GET /api/runs/*/notes', { json: [] });
}

export const ID = aRun().id;
export const openRun = () => renderApp(`/app/runs/${ID}`, { token: aToken() });
/** A step's card, once its panel is loaded. */
export const card = async (name: string) => {
  const article = await screen.findByRole('article', { name });
  await waitFor(() => {
    if (article.querySelector('[aria-busy="true"]')) throw new Error('the panel is loading');
  });
  return within(article);
};
