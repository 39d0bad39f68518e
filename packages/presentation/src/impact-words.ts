import { formatDuration } from '@stet/domain/sla';
import { isolated } from '@stet/domain/workflows';
import type { Impact } from '@stet/domain/drafts';

/** A line of the impact summary. `details` explain the value. The tone `loss` means less control than before. */
type ImpactLine = { label: string; value: string; details: string[]; tone: 'plain' | 'loss' };

const INTEGRATION_NAMES = { email: 'Email', slack: 'Slack', 'in-app': 'In-app', script: 'Scripts' } as const;

type OpenRuns = readonly { version: number; count: number }[];

/**
 * Returns the impact summary in words (specification, section 2, review screen), lost controls first.
 * @param impact `openRuns` by pinned version; absent if the caller didn't count them
 */
export function impactLines(
  impact: Impact & { openRuns?: OpenRuns },
  titleOf: (stepId: string) => string,
): ImpactLine[] {
  const { controlLosses, steps, integrations, sla, rolesRemoved, openRuns } = impact;
  const changed = steps.added + steps.removed + steps.modified;
  const line = (label: string, value: string, details: string[] = []): ImpactLine => ({
    label,
    value,
    details,
    tone: 'plain',
  });
  const loss = (label: string, details: string[]): ImpactLine[] =>
    details.length === 0 ? [] : [{ label, value: String(details.length), details, tone: 'loss' }];
  const titlesOf = (ids: readonly string[]): string => ids.map((id) => isolated(titleOf(id))).join(', ');
  return [
    ...loss(
      'Controls lost or weakened',
      controlLosses.map(({ sentence }) => sentence),
    ),
    line('Workflows changed', String(impact.workflows)),
    line('Steps changed', `${changed} of ${steps.before + steps.added}`),
    line(
      'Integrations touched',
      integrations.length === 0 ? 'None' : integrations.map((touch) => INTEGRATION_NAMES[touch.integration]).join(', '),
      integrations.map(
        ({ integration, change, stepIds }) => `${INTEGRATION_NAMES[integration]} ${change}: ${titlesOf(stepIds)}`,
      ),
    ),
    line('SLA impact', slaDifference(sla), [`${total(sla.beforeMs)} before, ${total(sla.afterMs)} after`]),
    ...loss(
      'Roles removed',
      rolesRemoved.map(({ role, stepIds }) => `${isolated(role)}: ${titlesOf(stepIds)}`),
    ),
    ...(openRuns ? [line('Open runs', runsInWords(openRuns))] : []),
  ];
}

function slaDifference({ beforeMs, afterMs }: Impact['sla']): string {
  if (beforeMs === afterMs) return 'Unchanged';
  if (beforeMs === null) return 'New SLA';
  if (afterMs === null) return 'SLA removed';
  const difference = formatDuration(Math.abs(afterMs - beforeMs));
  return afterMs > beforeMs ? `${difference} longer` : `${difference} shorter`;
}

const total = (ms: number | null): string => (ms === null ? 'no SLA' : formatDuration(ms));

function runsInWords(openRuns: OpenRuns): string {
  if (openRuns.length === 0) return 'None';
  return openRuns.map(({ version, count }) => `${count} ${count === 1 ? 'stays' : 'stay'} on v${version}`).join(', ');
}
