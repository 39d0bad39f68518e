import { type RunScript, approved, done } from '../run-script.ts';

const of = { workflow: 'po-change', version: 2 };

export const orderChangeRuns: readonly RunScript[] = [
  {
    ...of,
    name: 'Blanket order, packaging',
    priority: 'medium',
    by: 'sam',
    when: { week: 3, day: 'Mon', at: '10:20' },
    acts: [
      done('sam', '30m', 'change', 'Order 88-1907: 400 boxes more a month, price unchanged.'),
      approved('tomas', '3h', 'agree', 'Under 10 %.'),
      done('sam', '1h', 'send', 'Sent as 88-1907-2.'),
      done('priya', '1d 2h', 'confirm', 'Confirmation filed.'),
    ],
  },
  {
    ...of,
    name: 'Steel brackets, new quantity',
    priority: 'low',
    by: 'sam',
    when: { week: 3, day: 'Wed', at: '14:10' },
    acts: [
      done('priya', '50m', 'change', 'Order 88-1922: 1,200 instead of 1,000, and a week later.'),
      approved('tomas', '18h', 'agree'),
      done('sam', '2h', 'send', 'Sent as 88-1922-1.'),
      done('priya', '5h', 'confirm', 'Confirmed the same day.'),
    ],
  },
];
