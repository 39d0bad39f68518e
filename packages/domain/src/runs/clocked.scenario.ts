import type { WorkCalendar } from '../sla/calendar.ts';
import { HOUR_MS } from '../sla/duration.ts';
import type { Step } from '../steps/index.ts';
import type { RunState } from './state.ts';
import type { RunCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { RunFact } from './facts.ts';
import { actorOf } from './run.scenario.ts';

/** Test support: the start of `Clocked` runs, which is a Monday. */
export const T0 = Date.parse('2026-11-16T09:00:00Z');
/** Test support: returns a manual step with its SLA and its next steps. */
export const step = (id: string, sla: string, next: string[] = []): Step => ({
  id,
  type: 'manual',
  title: id,
  description: '',
  assignee: 'ann@example.com',
  sla,
  config: {},
  next,
});
/** Test support: nine to five on weekdays. */
export const OFFICE: WorkCalendar = {
  timeZone: 'UTC',
  week: [...Array.from({ length: 5 }, () => [{ from: 540, to: 1020 }]), [], []],
  holidays: [],
};

/** Test support: a run driven at given times, in hours since its start. */
export class Clocked {
  readonly facts: RunFact[] = [];
  state: RunState;
  readonly workflow: { steps: Step[] };

  constructor(
    steps: Step[],
    private readonly calendar: WorkCalendar | null = null,
  ) {
    this.workflow = { steps };
    const decision = decide(this.workflow, null, { type: 'start' }, { at: T0, actor: actorOf('ann'), calendar });
    if (!decision.ok) throw new Error(decision.refusal.code);
    this.state = decision.state;
  }

  at(hours: number, command: RunCommand): RunFact[] {
    const at = T0 + Math.round(hours * HOUR_MS);
    const decision = decide(this.workflow, this.state, command, { at, actor: actorOf('ann'), calendar: this.calendar });
    if (!decision.ok) throw new Error(`Refused: ${decision.refusal.code}`);
    this.state = decision.state;
    this.facts.push(...decision.facts);
    return decision.facts;
  }

  watch(hours: number, againAfterMs: number | null = null): string[] {
    return this.at(hours, { type: 'watch_clocks', againAfterMs }).map(
      (fact) => `${fact.type} ${'stepId' in fact ? (fact.stepId ?? 'run') : ''}`,
    );
  }
}
