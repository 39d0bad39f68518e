import type { RunStep } from '@stet/contract';
import { Check, Lock, SkipForward, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Badge } from '../../../ui/badge.tsx';
import type { BadgeTone } from '../../../ui/badge.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { StepType } from '../../../ui/step-type.tsx';
import { outputText } from '../model/panel-of.ts';
import './step-card.css';
import './step-progress.css';

type StepState = RunStep['state'];

const STATES = {
  completed: { word: 'Completed', tone: 'live', icon: Check },
  skipped: { word: 'Skipped', tone: 'gray', icon: SkipForward },
  active: { word: 'Active', tone: 'run', icon: null },
  pending: { word: 'Pending', tone: 'gray', icon: null },
  blocked: { word: 'Blocked', tone: 'gray', icon: Lock },
  failed: { word: 'Failed', tone: 'fail', icon: X },
} satisfies Record<StepState, { word: string; tone: BadgeTone; icon: LucideIcon | null }>;

/** Every step of the run with its state (specification, section 2, run detail: Workflow Progress). `now` in milliseconds. */
export function StepProgress({ steps, now }: { steps: readonly RunStep[]; now: number }) {
  return (
    <ol className="run-steps">
      {steps.map((step, at) => {
        const { word, tone, icon } = STATES[step.state];
        return (
          <li key={step.id} className={step.state}>
            <span className="ix" aria-hidden="true">
              {icon ? <Icon of={icon} size="s" /> : at + 1}
            </span>
            <div>
              <div className="step-head">
                <h3>{step.title}</h3>
                <StepType type={step.type} small />
                <span className="meta">
                  {settledText(step, now)}
                  <Badge tone={tone}>{word}</Badge>
                </span>
              </div>
              <StepLine step={step} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** 'Completed 19 Nov, 17:40 by Sam Okafor' for a step that is done (specification, section 2: 'Completed ... by {actor}'). */
function settledText(step: RunStep, now: number): string | null {
  if (step.state !== 'completed' || !step.completedAt) return null;
  return `Completed ${formatDateTime(step.completedAt, now)} by ${step.completedBy?.name ?? 'system'}`;
}

function StepLine({ step }: { step: RunStep }) {
  const line = lineOf(step);
  return line === '' ? null : <p className="pre">{line}</p>;
}

function lineOf(step: RunStep): string {
  switch (step.state) {
    case 'completed':
      return outputText(step.output);
    case 'skipped':
    case 'failed':
      return step.reason ?? '';
    case 'active':
    case 'pending':
    case 'blocked':
      return [step.assignee || 'Unassigned', step.sla].filter(Boolean).join(', ');
  }
}
