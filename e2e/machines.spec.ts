import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Page, expect, test } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';

const IDA = { name: 'Ida Berg', email: 'ida@nordlys.example', password: 'seven wet stones' };

async function signUp(page: Page): Promise<void> {
  await page.goto('/signup');
  await page.getByRole('radio', { name: /Organization/ }).check();
  await page.getByLabel('Organization Name').fill('Nordlys');
  await expect(page.getByRole('status').filter({ hasText: 'nordlys is free' })).toBeAttached();
  await page.getByLabel('Full Name').fill(IDA.name);
  await page.getByLabel('Email').fill(IDA.email);
  await page.getByLabel('Password', { exact: true }).fill(IDA.password);
  await page.getByRole('button', { name: 'Create Organization Account' }).click();
  await expect(page.getByRole('button', { name: 'Organization: Nordlys' })).toBeVisible();
}

test('programs can use a token until it is revoked, and receive events through a webhook', async ({
  page,
  request,
}) => {
  const received: string[] = [];
  const listener = createServer((incoming, response) => {
    received.push(String(incoming.headers['stet-event']));
    response.writeHead(204).end();
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  try {
    await signUp(page);
    await page.getByRole('button', { name: `Account and theme: ${IDA.name}` }).click();
    await page.getByRole('menuitem', { name: 'API tokens' }).click();
    await expect(page.getByRole('heading', { name: 'Your tokens' })).toBeVisible();
    await page.getByRole('button', { name: 'New token' }).click();
    const asked = page.getByRole('dialog', { name: 'New personal token' });
    await asked.getByLabel('Name').fill('Build server');
    await asked.getByRole('checkbox', { name: 'Create and edit drafts' }).check();
    await expectAccessibleInBothThemes(page);
    await asked.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('dialog', { name: 'Your new token' });
    const token = await shown.getByLabel('Token').inputValue();
    await expectAccessibleInBothThemes(page);
    await shown.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: /^Revoke Build server/ })).toHaveCount(2);
    await expectAccessibleInBothThemes(page);

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const hook = page.getByRole('dialog', { name: 'New webhook' });
    await hook.getByLabel('Name').fill('Ticket system');
    await hook.getByLabel('Address').fill('https://10.0.0.1/');
    await hook.getByRole('button', { name: 'Add webhook' }).click();
    await expect(hook.getByText('This address is not on the public internet')).toBeVisible();
    await hook.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`);
    await hook.getByRole('checkbox', { name: 'Send all events' }).uncheck();
    await hook.getByRole('group', { name: 'Drafts and versions' }).getByLabel('Created draft').check();
    await expectAccessibleInBothThemes(page);
    await hook.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('dialog', { name: 'Signing secret' }).getByRole('button', { name: 'Done' }).click();

    const bearer = { authorization: `Bearer ${token}` };
    const draft = { metadata: { title: 'By a machine' }, steps: [{ id: 'a', title: 'First' }] };
    const made = await request.post('/api/workflows/by-machine/drafts', { headers: bearer, data: draft });
    expect(made.status()).toBe(201);
    await page.getByRole('button', { name: 'Deliveries to Ticket system' }).click();
    await page.getByRole('button', { name: 'Send a test to Ticket system' }).click();
    const log = page.getByRole('list', { name: 'Deliveries to Ticket system' });
    await expect(log.getByText('created draft')).toBeVisible();
    await expect(log.getByText('Delivered')).toHaveCount(2);
    expect(received.toSorted()).toEqual(['draft.created', 'webhook.test']);
    await expectAccessibleInBothThemes(page);

    await page.getByRole('link', { name: 'API tokens' }).click();
    await page
      .getByRole('button', { name: /^Revoke Build server/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('Token revoked')).toBeVisible();
    expect((await request.get('/api/workflows', { headers: bearer })).status()).toBe(401);
  } finally {
    listener.closeAllConnections();
    listener.close();
  }
});
