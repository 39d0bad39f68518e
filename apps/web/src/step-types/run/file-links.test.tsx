import type { Evidence } from '@stet/domain/steps';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { cleanUpFields } from '../step-settings.fixture.tsx';
import { FileLinks } from './file-links.tsx';

cleanUpFields();

const file = (fileId: string, mediaType: string): Evidence => ({
  fileId,
  sha256: 'a'.repeat(64),
  size: 5,
  name: `${fileId} file`,
  mediaType,
});

it('shows the previews of images, and no image for other files and images without a preview', async () => {
  const server = startFakeServer().on('GET /api/files/photo/preview', {
    text: 'a picture',
    headers: { 'content-type': 'image/jpeg' },
  });
  server.on('GET /api/files/damaged/preview', { status: 204 });
  const files = [file('photo', 'image/jpeg'), file('damaged', 'image/png'), file('offer', 'application/pdf')];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <FileLinks files={files} />
    </QueryClientProvider>,
  );
  const rows = screen.getAllByRole('listitem');
  const imageIn = (row: HTMLElement | undefined) => row?.querySelector('img')?.src;
  await waitFor(() => expect(imageIn(rows[0])).toBe(`data:image/jpeg;base64,${btoa('a picture')}`));
  await waitFor(() => expect(server.calls('GET /api/files/damaged/preview')).toHaveLength(1));
  expect(server.calls('GET /api/files/offer/preview')).toEqual([]);
  for (const [at, { name }] of files.entries()) {
    expect(within(rows[at] as HTMLElement).getByRole('button', { name })).toBeDefined();
    if (at > 0) expect(imageIn(rows[at])).toBeUndefined();
  }
});
