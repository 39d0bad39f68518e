import {
  type RunAct,
  type RunScript,
  approved,
  decided,
  done,
  notified,
  paused,
  rejected,
  scripted,
  span,
} from '../run-script.ts';

const of = { workflow: 'expense-approval-5k', version: 4 };
type Centre = '1000' | '2300' | '2310' | '2600' | '4100' | '4310' | '5200';
const filed = (by: 'priya' | 'sam', after: string, text: string, amount: number, centre: Centre | 'other'): RunAct =>
  done(by, after, 'file', text, { amount, cost_centre: centre });
/** The receipt check, and the server's steps that follow from its form. */
const checked = (after: string, text: string, amount: number, centre: Centre, matches = true): RunAct[] => [
  done('tomas', after, 'receipts', text, { net_amount: amount, cost_centre: centre, matches_offer: matches }),
  scripted('budget'),
  decided('large', amount > 20_000),
];

export const expenseRuns: readonly RunScript[] = [
  {
    ...of,
    name: 'Office move, lift contract',
    priority: 'medium',
    by: 'tomas',
    when: { last: span('4h 32m') },
    acts: [filed('priya', '40m', 'Furniture lift for two days. Needed before the move.', 6850, '4100')],
  },
  {
    ...of,
    name: 'Cloud storage, three-year term',
    description: 'The discount is valid until the end of the month.',
    priority: 'urgent',
    by: 'sam',
    when: { last: span('2d 5h') },
    acts: [
      filed('sam', '1h 5m', 'Three years. Saves 22 % compared with the monthly price.', 31_200, '5200'),
      ...checked('6h', 'The cost centre is right.', 31_200, '5200'),
      done('tomas', '4h', 'offers', 'The second provider asks 34,800 EUR for the same capacity and term.'),
      approved('ellen', '11h', 'owner', 'We will need it for three years in any case.'),
    ],
  },
  {
    ...of,
    name: 'Trade press archive',
    priority: 'low',
    by: 'priya',
    when: { last: span('1d 3h') },
    acts: [filed('priya', '30m', 'Archive access for the whole team, one year.', 5400, '2300'), paused('tomas', '20h')],
  },
  {
    ...of,
    name: 'Conference Lisbon, team of six',
    priority: 'medium',
    by: 'priya',
    when: { last: span('1h 10m') },
    acts: [
      filed('priya', '25m', 'Six tickets, flights, two nights.', 9700, '2310'),
      ...checked('3h', 'Flights are quoted without luggage, 240 EUR more.', 9940, '2310', false),
      rejected(
        'ellen',
        '1h 40m',
        'owner',
        'Four people is fine. With six away, nobody covers support on two working days.',
      ),
    ],
  },
  {
    ...of,
    name: 'Trade fair Lyon, stand',
    priority: 'low',
    by: 'priya',
    when: { last: span('1d 1h') },
    acts: [
      filed('priya', '20m', 'Stand of 18 square metres.', 7900, '2300'),
      ...checked('2h 10m', 'As in the offer.', 7900, '2300'),
      approved('jonas', '1h 30m', 'owner', 'Same place as last year. Good.'),
      approved('mara', '5h 20m', 'signature'),
      notified('tell'),
    ],
  },
  {
    ...of,
    name: 'Annual audit fee',
    priority: 'medium',
    by: 'tomas',
    when: { week: 1, day: 'Wed', at: '09:20' },
    acts: [
      filed('sam', '15m', 'Audit of the annual accounts.', 24_000, '1000'),
      ...checked('1h 5m', 'As in the engagement letter.', 24_000, '1000'),
      done('tomas', '20m', 'offers', 'The offer from the second firm is 27,000 EUR.'),
      approved('ellen', '50m', 'owner'),
      approved('mara', '5h', 'signature', '3,000 EUR less than the second firm.'),
      notified('tell'),
    ],
  },
  {
    ...of,
    name: 'New scanner for goods-in',
    priority: 'low',
    by: 'sam',
    when: { week: 2, day: 'Thu', at: '11:00' },
    acts: [
      filed('sam', '1h', 'Two ring scanners and a dock. I don’t know the cost centre.', 5260, 'other'),
      ...checked('4h', 'Cost centre 4310, because goods-in now has its own.', 5260, '4310'),
      approved('jonas', '17h', 'owner'),
      approved('mara', '3h', 'signature'),
      notified('tell'),
    ],
  },
  {
    ...of,
    name: 'Translation of the manual',
    priority: 'high',
    by: 'sam',
    when: { week: 3, day: 'Mon', at: '13:30' },
    acts: [
      filed('sam', '30m', 'Manual into six languages.', 12_400, '2600'),
      ...checked('1d 3h', 'The offer was per word, so I had to ask for the word count.', 12_400, '2600'),
      approved('jonas', '18h', 'owner', 'The budget line is overdrawn by 3,300 EUR. Agreed with Mara.'),
      approved('mara', '1d 2h', 'signature', 'Yes. The rest comes from the reserve.'),
      notified('tell'),
    ],
  },
];
