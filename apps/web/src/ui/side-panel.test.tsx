import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SidePanel } from './side-panel.tsx';
import { UiProvider } from './ui-provider.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ignore = () => undefined;
const onPhone = (isPhone: boolean) =>
  vi.stubGlobal('matchMedia', () => ({ matches: isPhone, addEventListener: ignore, removeEventListener: ignore }));
const page = (isOpen: boolean) => (
  <UiProvider>
    <button type="button">Row</button>
    {isOpen && (
      <SidePanel label="Vendor onboarding" sheet="full" head="Live" onClose={ignore}>
        <a href="/docs">Read</a>
      </SidePanel>
    )}
  </UiProvider>
);

test('beside its list it is a part of the page', () => {
  onPhone(false);
  render(page(true));
  expect(screen.getByRole('complementary', { name: 'Vendor onboarding' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('on a phone, where it lies over the list, it keeps the focus and gives it back', async () => {
  onPhone(true);
  const { rerender } = render(page(false));
  const row = screen.getByRole('button', { name: 'Row' });
  row.focus();
  rerender(page(true));
  const close = screen.getByRole('button', { name: 'Clear selection (Esc)' });
  await waitFor(() => expect(document.activeElement).toBe(close));
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Read' }));
  await userEvent.tab();
  expect(document.activeElement).toBe(close);
  rerender(page(false));
  await waitFor(() => expect(document.activeElement).toBe(row));
});
