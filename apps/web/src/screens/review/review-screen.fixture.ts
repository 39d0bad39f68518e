import type { User, WholeDraft } from '@stet/contract';
import { screen, within } from '@testing-library/react';
import { DRAFT_ID, ELLEN, aDiff, aFinding, anImpact } from '../../features/review/testing/review.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { renderApp } from '../../testing/render-app.tsx';

export const AT = '/api/workflows/vendor-onboarding/drafts';
export const aReviewer = (change: Partial<User> = {}): User =>
  aUser({
    ...ELLEN,
    orgRole: 'reviewer',
    orgPermissions: ['workflow.read', 'draft.comment', 'draft.review', 'draft.merge'],
    ...change,
  });

/** Serves a draft in review in its current state, with its diff, its findings and its impact. */
export function startReviewServer(draft: () => WholeDraft): FakeServer {
  return startFakeServer()
    .on('GET /api/auth/me', { json: aReviewer() })
    .on(`GET ${AT}/*`, () => ({ json: draft() }))
    .on(`GET ${AT}/*/diff`, { json: aDiff() })
    .on(`GET ${AT}/*/impact`, { json: anImpact() })
    .on(`GET ${AT}/*/findings`, { json: [aFinding()] });
}

export const open = () => renderApp(`/app/review?key=vendor-onboarding&id=${DRAFT_ID}`, { token: aToken() });
export const card = async (name: string) => within(await screen.findByRole('article', { name }));
