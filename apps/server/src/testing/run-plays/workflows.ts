import type { Chance } from '../governance/random.ts';

/** A step as it is sent to the server. */
export type PlayedStep = {
  id: string;
  type: 'manual' | 'approval' | 'condition' | 'notification';
  title: string;
  assignee: string;
  sla: string;
  config: {
    requiresApproval?: boolean;
    minimumApprovers?: number;
    separateFrom?: boolean;
    onReject?: string;
    assignedRole?: string;
    condition?: string;
    trueNext?: string;
    falseNext?: string;
    recipients?: string[];
    channels?: string[];
  };
  next: string[];
};

/** The name of the only group of each organization, as steps use it. */
export const GROUP = 'group:finance';

const SERVER_TYPES: readonly PlayedStep['type'][] = ['condition', 'notification'];
/** True if the server executes the step. */
export const isPerformedByServer = ({ type }: PlayedStep): boolean => SERVER_TYPES.includes(type);

/** Picks an assignee: nobody, a role, the group, the group with a role or address, the starter, or an address. */
function anyAssignee(chance: Chance, addresses: readonly string[]): string {
  if (chance.in100(35)) return 'Unassigned';
  if (chance.in100(50)) return chance.pick(['reviewer', 'reviewer', 'editor', 'admin', 'viewer']);
  if (chance.in100(35)) return chance.pick([GROUP, GROUP, `${GROUP}, ${chance.pick(addresses)}`, `reviewer, ${GROUP}`]);
  if (chance.in100(15)) return 'starter';
  return chance.in100(85) ? chance.pick(addresses) : 'nobody@nowhere.example';
}

/** Three to five random steps with controls, conditions and notifications, in a line or with a fork. */
export function anySteps(chance: Chance, addresses: readonly string[]): PlayedStep[] {
  const count = 3 + chance.below(3);
  const steps: PlayedStep[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = `s${at}`;
    const isLast = at === count - 1;
    const next = isLast ? [] : [`s${at + 1}`];
    const title = `Step ${at}`;
    const common = { id, title, assignee: anyAssignee(chance, addresses), sla: chance.in100(50) ? '4h' : '', next };
    const role = chance.in100(10) ? { assignedRole: chance.pick(['reviewer', 'editor']) } : {};
    const kind = at === 0 ? chance.below(50) : chance.below(100);
    if (kind < 40) steps.push({ ...common, type: 'manual', config: { ...role, requiresApproval: chance.in100(30) } });
    else if (kind < 50 && !isLast) {
      steps.push({
        ...common,
        type: 'notification',
        config: { recipients: [chance.pick(addresses)], channels: ['in-app'] },
      });
    } else if (kind < 60 && at + 2 < count) {
      const trueNext = `s${at + 1}`;
      const falseNext = `s${at + 2}`;
      const condition = chance.pick(['true', 'false']);
      steps.push({
        ...common,
        type: 'condition',
        next: [trueNext, falseNext],
        config: { condition, trueNext, falseNext },
      });
    } else {
      const before = steps.filter((step) => !isPerformedByServer(step)).map((step) => step.id);
      const onReject = before.length > 0 && chance.in100(30) ? { onReject: chance.pick(before) } : {};
      const minimumApprovers = chance.pick([1, 1, 1, 2, 2, 3]);
      const config = { ...role, ...onReject, minimumApprovers, separateFrom: chance.in100(60) };
      steps.push({ ...common, type: 'approval', config });
    }
  }
  fork(steps, chance);
  return steps;
}

/** Sometimes puts the second and third step in parallel, so that the fourth one waits for both. */
function fork(steps: PlayedStep[], chance: Chance): void {
  const [first, second, third, fourth] = steps;
  if (!first || !second || !third || !fourth || !chance.in100(30)) return;
  if ([first, second, third].some(({ type }) => type === 'condition')) return;
  // A step can return work only to an earlier step, and not to a parallel one.
  if (third.config.onReject === second.id) delete third.config.onReject;
  first.next = [second.id, third.id];
  second.next = [fourth.id];
}
