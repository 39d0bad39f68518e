import type { Step } from '@stet/domain/steps';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitForElementToBeRemoved } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, vi } from 'vitest';
import { UiProvider } from '../ui/ui-provider.tsx';
import { StepSettings } from './step-settings.tsx';

/** Cleans up after each test. Call it once in each file that renders fields. */
export function cleanUpFields(): void {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
}

export const step = (id: string, title: string, type: Step['type'], next: string[], config: object = {}): Step => ({
  id,
  type,
  title,
  description: '',
  assignee: '',
  sla: '',
  config,
  next,
});

export const STEPS = [
  step('collect', 'Collect documents', 'manual', ['risk'], {
    fields: [{ id: 'spend', label: 'Spend', kind: 'number', required: true }],
  }),
  step('risk', 'High risk?', 'condition', ['review', 'tell'], {
    condition: 'collect.fields.spend > 50',
    trueNext: 'review',
    falseNext: 'tell',
  }),
  step('review', 'Compliance review', 'approval', ['tell'], { minimumApprovers: 1 }),
  step('tell', 'Tell the requester', 'notification', []),
];

/** Renders a step's settings as a dialog does, and waits until they are loaded. `now.step` is the current step. */
export async function open(id: string, { readOnly = false, steps = STEPS } = {}) {
  const now = { step: steps.find((each) => each.id === id) ?? step('x', '', 'manual', []) };
  function Host() {
    const [all, setAll] = useState(steps);
    const shown = all.find((each) => each.id === id) ?? now.step;
    const change = (next: Step) => {
      now.step = next;
      setAll(all.map((each) => (each.id === id ? next : each)));
    };
    return <StepSettings step={shown} steps={all} readOnly={readOnly} tried={false} onChange={change} />;
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Host />
    </QueryClientProvider>,
    { wrapper: UiProvider },
  );
  const loading = () => screen.queryByRole('status', { name: 'Loading settings' });
  if (loading()) await waitForElementToBeRemoved(loading);
  return { now, user: userEvent.setup() };
}
