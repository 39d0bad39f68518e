import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Button } from './button.tsx';
import { Menu } from './menu.tsx';
import { Modal } from './modal.tsx';
import { UiProvider } from './ui-provider.tsx';

afterEach(cleanup);

function Page({ by }: { by: 'button' | 'menu' }) {
  const [open, setOpen] = useState(false);
  const invite = () => setOpen(true);
  return (
    <UiProvider>
      {by === 'button' ? (
        <Button onClick={invite}>Invite</Button>
      ) : (
        <Menu target={<Button>More</Button>} groups={[{ entries: [{ label: 'Invite', onPick: invite }] }]} />
      )}
      {open && (
        <Modal open title="Invite someone" onClose={() => setOpen(false)}>
          <input aria-label="Email" />
        </Modal>
      )}
    </UiProvider>
  );
}

test('an unmounted dialog returns the focus to the button that opened it', async () => {
  const user = userEvent.setup();
  render(<Page by="button" />);
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await user.click(await screen.findByLabelText('Email'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Invite' })));
});

test('a dialog opened from a menu returns the focus to the menu’s button', async () => {
  const user = userEvent.setup();
  render(<Page by="menu" />);
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Invite' }));
  await user.click(await screen.findByLabelText('Email'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })));
});
