import { isolated } from '@stet/domain/workflows';
import { paths } from '../../lib/paths.ts';
import type { Crumb } from '../../ui/breadcrumbs.tsx';

export const executionTrail = (title: string): Crumb[] => [
  { label: 'Dashboard', to: paths.app },
  { label: 'Workflows', to: paths.workflows() },
  { label: `Run ${isolated(title)}` },
];
