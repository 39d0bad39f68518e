import { newStep } from '@stet/domain/workflows';
import type { Step } from '@stet/domain/steps';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { cleanUpAfterEach } from '../testing/render-app.tsx';
import { SubmitForm } from './submit-form.tsx';
import type { SubmitDialogProps } from './submit-form.tsx';
import { UiProvider } from './ui-provider.tsx';

cleanUpAfterEach();

const person = (n: number, name: string) => ({
  id: `0199aaaa-0000-7000-8000-00000000000${n}`,
  name,
  email: `${name.toLowerCase()}@example.com`,
});
const [ellen, jonas] = [person(1, 'Ellen'), person(2, 'Jonas')];
const open = (change: { steps?: Step[]; nextVersion?: number } = {}) => {
  const props = {
    onSubmit: vi.fn<SubmitDialogProps['onSubmit']>(),
    onStep: vi.fn<SubmitDialogProps['onStep']>(),
    onClose: vi.fn<() => void>(),
  };
  render(
    <UiProvider>
      <SubmitForm
        draft={{
          metadata: { title: 'Refund', description: '' },
          steps: [{ ...newStep('a'), title: 'Check', description: 'Compare the amounts.' }],
          nextVersion: 2,
          summary: null,
          reviewers: [ellen, jonas],
          askedReviewers: [],
          policy: { requiredApprovals: 1, strict: false },
          ...change,
        }}
        busy={false}
        error={null}
        {...props}
      />
    </UiProvider>,
  );
  return { ...props, user: userEvent.setup() };
};
const submit = () => screen.getByRole('button', { name: 'Submit' });

test('sends the summary and the requested reviewers', async () => {
  const { user, onSubmit } = open();
  await user.type(screen.getByLabelText('What changes, and why'), ' A second check. ');
  await user.click(screen.getByRole('checkbox', { name: /Jonas/ }));
  await user.click(submit());
  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ summary: 'A second check.', reviewers: [jonas.id] }));
});

test('requires a summary for a change', async () => {
  const { user, onSubmit } = open();
  await user.click(submit());
  expect(await screen.findByText('Summarize the change and its reason for the reviewers')).toBeDefined();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('submits a first version without a summary', async () => {
  const { user, onSubmit } = open({ nextVersion: 1 });
  await user.click(submit());
  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({}));
});

test('lists errors with links to their steps and prevents submitting', async () => {
  const condition = { ...newStep('b', 'condition'), title: 'Above the limit?', description: 'Compare.', config: {} };
  const { user, onStep, onSubmit } = open({ steps: [condition], nextVersion: 1 });
  const check = within(screen.getByRole('region', { name: 'Check' }));
  expect(check.getByText('Fix these first')).toBeDefined();
  expect(check.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Error: Above the limit? The condition is missing, so every run stops here.',
    'Error: Above the limit? Neither Yes nor No has its own next step, so the condition has no effect.',
  ]);
  await user.click(submit());
  expect(onSubmit).not.toHaveBeenCalled();
  await user.click(check.getAllByRole('button', { name: 'Above the limit?' })[0] as HTMLElement);
  expect(onStep).toHaveBeenCalledWith('b');
});
