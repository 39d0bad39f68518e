import { type RunScript, approved, done, ran, span, notified } from '../run-script.ts';

const of = { workflow: 'employee-offboarding', version: 4 };

export const offboardingRuns: readonly RunScript[] = [
  {
    ...of,
    name: 'Offboarding T. Brandt',
    priority: 'high',
    by: 'tomas',
    when: { last: span('20h 5m') },
    acts: [
      done(
        'tomas',
        '5h',
        'last-day',
        'Last day is the 30th, less four days of leave. Priya takes over the key accounts.',
      ),
      done(
        'jonas',
        '7h',
        'rights',
        'Directory, ERP, shop. Outside: parcel carrier portal and the stock photo account.',
      ),
      done('priya', '11h', 'handover', 'Notes are in the team folder. We went through them together for an hour.'),
    ],
  },
  {
    ...of,
    name: 'Offboarding C. Dupont',
    priority: 'medium',
    by: 'tomas',
    when: { last: span('2h') },
    acts: [
      done(
        'tomas',
        '3h',
        'last-day',
        'Last day is the 15th of next month. Sam takes over until the position is filled.',
      ),
    ],
  },
  {
    ...of,
    name: 'Offboarding M. Rossi',
    priority: 'medium',
    by: 'tomas',
    when: { week: 3, day: 'Mon', at: '09:30' },
    acts: [
      done('tomas', '4h', 'last-day', 'Last day is Friday, with no leave left. Sam takes over.'),
      done(
        'jonas',
        '19h 30m',
        'rights',
        'Directory, ERP, code hosting. Shared: the password of the label printer portal.',
      ),
      done('sam', '2d 5h', 'handover', 'I now have the two open orders and the list of spare parts.'),
      done('sam', '20h', 'devices', 'Laptop, phone, badge, both keys. Nothing missing.'),
      ran('accounts', { text: '7 accounts closed, mailbox kept', closed: 7 }, 6),
      approved('ellen', '2h', 'confirm', 'The portal password was changed. I tried the old one.'),
      done('tomas', '4h', 'payroll', 'Eleven hours of overtime, no open expenses.'),
      done('mara', '3d 18h', 'reference', 'Written, read by M. Rossi and signed.'),
      notified('tell'),
    ],
  },
];
