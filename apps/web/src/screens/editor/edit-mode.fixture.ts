import { screen, within } from '@testing-library/react';
import { aDetail, aDraft, aSummary, DRAFT_ID } from '../../features/workflow-editor/testing/workflows.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { renderApp } from '../../testing/render-app.tsx';

export const DRAFT = `/app/editor?key=vendor-onboarding&mode=edit&draftId=${DRAFT_ID}`;
export const DRAFTS = 'POST /api/workflows/*/drafts';
export const SAVE = 'PATCH /api/workflows/*/drafts/*';

/** Serves a draft that can be edited and saved. */
export function startEditServer(): FakeServer {
  return startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows', { json: [aSummary()] })
    .on('GET /api/workflows/*', { json: aDetail() })
    .on('GET /api/workflows/*/drafts/*', { json: aDraft() })
    .on('GET /api/organizations/*/users', {
      json: [{ id: 'x', name: 'Greta', email: 'greta@halden.example', role: 'editor' }],
    })
    .on('GET /api/organizations/*/common-assignees', { json: [{ assignee: 'reviewer' }] })
    .on(SAVE, { json: { draftId: DRAFT_ID, revision: 4 } })
    .on(DRAFTS, { status: 201, json: { draftId: DRAFT_ID, revision: 1 } });
}

export async function open(address = DRAFT) {
  const app = renderApp(address, { token: aToken() });
  await screen.findByRole('grid', { name: 'Steps' });
  return app;
}
export const cell = (name: string) => screen.getByRole('gridcell', { name });
export const titles = () =>
  within(screen.getByRole('grid'))
    .getAllByRole('row')
    .filter((row) => row.dataset['step'])
    .map((row) => row.querySelector('[aria-colindex="3"] b')?.textContent);
// The top bar and the bottom bar on phones both have this button. Use either.
export const press = (name: string): HTMLElement => {
  const button = screen.getAllByRole('button', { name })[0];
  if (!button) throw new Error(name);
  return button;
};
export const isUnsaved = () => screen.queryByText('Unsaved changes') !== null;
export const undo = () => screen.getByRole('button', { name: 'Undo' });
