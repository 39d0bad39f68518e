import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { UiProvider } from '../../../ui/ui-provider.tsx';
import { aDraft } from '../testing/workflows.ts';
import { ChangesDialog } from './changes-dialog.tsx';

afterEach(cleanup);

test('shows that documents with the same content are identical', () => {
  render(
    <UiProvider>
      <ChangesDialog saved={aDraft()} edited={aDraft()} onClose={() => undefined} />
    </UiProvider>,
  );
  expect(screen.getByText('No Changes - The workflow is identical to the original version.')).toBeDefined();
});
