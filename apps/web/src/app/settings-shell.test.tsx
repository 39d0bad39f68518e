import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import { anOwner } from '../testing/people.ts';
import { aToken } from '../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../testing/render-app.tsx';

cleanUpAfterEach();

test('scrolls the current page’s link to the middle on a narrow screen', async () => {
  startFakeServer().on('GET /api/auth/me', { json: anOwner() });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.hasAttribute('aria-current') ? new DOMRect(500, 0, 100, 44) : new DOMRect(10, 0, 360, 44);
  });
  renderApp('/app/settings/webhooks', { token: aToken() });
  const settings = await screen.findByRole('navigation', { name: 'Settings' });
  expect(settings.scrollLeft).toBe(360);
});
