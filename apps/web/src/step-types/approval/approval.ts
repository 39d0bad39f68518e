import { Stamp } from 'lucide-react';
import type { StepParts } from '../parts.ts';

export const approval: StepParts<'approval'> = {
  icon: Stamp,
  purpose: 'One or more people must approve',
  loadSettings: async () => (await import('./approval-settings.tsx')).ApprovalSettings,
  loadPanel: async () => (await import('../run/vote-panel.tsx')).VotePanel,
};
