import { type RunScript, approved, cancelled, done, rejected, skipped, span, notified } from '../run-script.ts';

const of = { workflow: 'contract-renewal', version: 2 };

export const renewalRuns: readonly RunScript[] = [
  {
    ...of,
    name: 'Renewal, office insurance',
    priority: 'high',
    by: 'tomas',
    when: { last: span('1d 9h') },
    acts: [
      done('priya', '5h', 'gather', '14,300 EUR a year, notice by the end of the month, one claim in three years.'),
      done('sam', '1d 2h', 'need', 'Goods in transit have been insured twice since we changed the carrier.'),
    ],
  },
  {
    ...of,
    name: 'Renewal, cleaning services',
    priority: 'medium',
    by: 'tomas',
    when: { week: 1, day: 'Tue', at: '09:40' },
    acts: [
      done('priya', '3h', 'gather', '21,000 EUR a year, no complaints.'),
      done('sam', '1d', 'need', 'Twice a week would be enough for floor 3.'),
      cancelled('tomas', '3h', 'The landlord takes over cleaning with the new lease.'),
    ],
  },
  {
    ...of,
    name: 'Renewal, coffee machines',
    priority: 'low',
    by: 'priya',
    when: { week: 2, day: 'Tue', at: '09:30' },
    acts: [
      done('priya', '2h', 'gather', '1,740 EUR a year for two machines with service.'),
      skipped('tomas', '10m', 'market', 'Below 2,000 EUR, one offer is enough.'),
      done('sam', '1d 2h', 'need', 'Everyone. Some asked for the one on floor 3 twice.'),
      approved('ellen', '3h', 'decide'),
      approved('mara', '18h', 'sign'),
      done('priya', '1h', 'filing', 'Filed, and a reminder is set for sixty days before the notice date.'),
      notified('tell'),
    ],
  },
  {
    ...of,
    name: 'Renewal, data centre lease',
    priority: 'high',
    by: 'tomas',
    when: { week: 3, day: 'Tue', at: '10:00' },
    acts: [
      done('priya', '1d 4h', 'gather', '96,000 EUR a year for four racks. The bills for two quarters were missing.'),
      done('sam', '1d', 'need', 'Two of the four racks have been almost empty since the move to the cloud.'),
      done('tomas', '20h', 'market', '92,000 and 101,000 EUR for the same.'),
      rejected('jonas', '4h', 'decide', 'If two racks are empty, ask for the price of the other two.'),
      done('tomas', '2d 22h', 'market', 'Two racks: 54,000 EUR here, 51,500 and 58,000 EUR elsewhere.'),
      approved('jonas', '3h', 'decide', 'Renew for two racks.'),
      approved('mara', '19h', 'sign'),
      done('priya', '4h', 'filing', 'Filed. We return two racks at the end of the quarter.'),
      notified('tell'),
    ],
  },
];
