import { accountRoutes } from '@stet/contract/accounts';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { expectFine, problemAt } from '../../testing/problem-at.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { TextField } from '../../ui/field.tsx';
import { ApiError } from '../api/api-error.ts';
import { useContractForm } from './use-contract-form.ts';
import type { SchemaLoader } from './use-contract-form.ts';

cleanUpAfterEach();

type Body = { email: string; name: string; password: string };
const schema: SchemaLoader<Body> = async () => accountRoutes['POST /api/auth/signup'].body;

function Form({ send, load = schema }: { send: (body: Body) => Promise<unknown>; load?: SchemaLoader<Body> }) {
  const form = useContractForm({
    schema: load,
    initial: { email: '', name: '', password: 'oak-trees' },
    body: (values) => values,
    places: { email_taken: 'email' },
    failed: 'Failed to sign up',
    send,
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <TextField {...form.field('email')} label="Email" />
      <TextField {...form.field('name')} label="Full Name" />
      {form.problem && <p role="alert">{form.problem}</p>}
      <p>{form.isDirty ? 'Unsaved' : 'Saved'}</p>
      <button type="submit">Send</button>
    </form>
  );
}

const refusal = (status: number, code: string, message: string, details: unknown[] = []) =>
  new ApiError('answer', { status, code, message, details });

async function fillIn() {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Email'), 'mara@example.com');
  await user.type(screen.getByLabelText('Full Name'), 'Mara');
  return { user, submit: () => user.click(screen.getByRole('button', { name: 'Send' })) };
}

type Send = (body: Body) => Promise<unknown>;

test('shows an error on a changed field once it loses focus, but not on an untouched one', async () => {
  render(<Form send={vi.fn<Send>()} />);
  const user = userEvent.setup();
  await user.click(screen.getByLabelText('Email'));
  await user.tab();
  expectFine('Email');
  await user.type(screen.getByLabelText('Email'), 'mara');
  expectFine('Email');
  await user.tab();
  expect(await screen.findByText('Please enter a valid email address')).toBeDefined();
  expectFine('Full Name');
  await user.type(screen.getByLabelText('Email'), '@example.com');
  expectFine('Email');
  expect(screen.getByText('Unsaved')).toBeDefined();
});

test('focuses the first invalid field, shows the contract’s messages and sends nothing', async () => {
  const send = vi.fn<Send>();
  render(<Form send={send} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await problemAt('Email', 'Email is required');
  expect(screen.getByText('Full name is required')).toBeDefined();
  expect(send).not.toHaveBeenCalled();
});

test('shows refusals next to the field that their path or code names, and others as the form’s problem', async () => {
  const send = vi
    .fn<Send>()
    .mockRejectedValueOnce(
      refusal(400, 'invalid', 'name must be shorter', [{ field: 'name', problem: 'must be shorter' }]),
    );
  render(<Form send={send} />);
  const { submit } = await fillIn();
  await submit();
  await problemAt('Full Name', 'Must be shorter');
  send.mockRejectedValueOnce(refusal(409, 'email_taken', 'An account with this email already exists'));
  await submit();
  await problemAt('Email', 'An account with this email already exists');
  expectFine('Full Name');
  send.mockRejectedValueOnce(refusal(500, 'internal', ''));
  await submit();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Failed to sign up'));
  expectFine('Email');
});

test('sends only one request at a time', async () => {
  let finish: () => void = () => undefined;
  const send = vi.fn<Send>(() => new Promise<void>((resolve) => (finish = resolve)));
  render(<Form send={send} />);
  const { submit } = await fillIn();
  await submit();
  await submit();
  expect(send).toHaveBeenCalledTimes(1);
  finish();
});

test('leaves validation to the server if the schema can’t be loaded', async () => {
  const send = vi.fn<Send>().mockResolvedValue(undefined);
  render(<Form send={send} load={() => Promise.reject(new Error('offline'))} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
});
