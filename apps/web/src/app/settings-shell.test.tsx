import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import { anOwner } from '../testing/people.ts';
import { aToken } from '../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../testing/render-app.tsx';

cleanUpAfterEach();

test('shows the server’s version to managers only', async () => {
  const version = { version: '0.1.0', commit: '4b3f2a1c9d8e', schema: '0188_notes' };
  const server = startFakeServer()
    .on('GET /api/version', { json: version })
    .on('GET /api/auth/me', { json: anOwner() });
  const { unmount } = renderApp('/app/settings/webhooks', { token: aToken() });
  await screen.findByText('Stet 0.1.0 · commit 4b3f2a1c9d8e · schema 0188_notes');
  unmount();
  server.on('GET /api/auth/me', { json: { ...anOwner(), orgPermissions: [] } });
  renderApp('/app/settings/profile', { token: aToken() });
  await screen.findByRole('navigation', { name: 'Settings' });
  expect(server.calls('GET /api/version')).toHaveLength(1);
});

test('scrolls the current page’s link to the middle on a narrow screen', async () => {
  startFakeServer().on('GET /api/auth/me', { json: anOwner() });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.hasAttribute('aria-current') ? new DOMRect(500, 0, 100, 44) : new DOMRect(10, 0, 360, 44);
  });
  renderApp('/app/settings/webhooks', { token: aToken() });
  const settings = await screen.findByRole('navigation', { name: 'Settings' });
  expect(settings.scrollLeft).toBe(360);
});
