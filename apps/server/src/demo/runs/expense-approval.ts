import { type RunScript, approved, done, paused, ran, rejected, span, notified } from '../run-script.ts';

const of = { workflow: 'expense-approval-5k', version: 3 };
const left = (line: string, eur: number) =>
  ran('budget', { text: `${line}: ${eur.toLocaleString('en')} EUR left`, line, remainder: eur }, 3);

export const expenseRuns: readonly RunScript[] = [
  {
    ...of,
    name: 'Office move, lift contract',
    priority: 'medium',
    by: 'tomas',
    when: { last: span('4h 32m') },
    acts: [
      done('priya', '40m', 'file', 'Furniture lift for two days, 6,850 EUR, cost centre 4100. Needed before the move.'),
    ],
  },
  {
    ...of,
    name: 'Cloud storage, three-year term',
    description: 'The discount is valid until the end of the month.',
    priority: 'urgent',
    by: 'sam',
    when: { last: span('2d 5h') },
    acts: [
      done(
        'sam',
        '1h 5m',
        'file',
        '31,200 EUR for three years, cost centre 5200. Saves 22 % compared with the monthly price.',
      ),
      done('tomas', '6h', 'receipts', 'The net amount matches the offer. The cost centre is right.'),
      left('IT services', 48_300),
      approved('ellen', '15h', 'owner', 'We will need it for three years in any case.'),
    ],
  },
  {
    ...of,
    name: 'Trade press archive',
    priority: 'low',
    by: 'priya',
    when: { last: span('1d 3h') },
    acts: [
      done('priya', '30m', 'file', 'Archive access for the whole team, 5,400 EUR a year, cost centre 2300.'),
      paused('tomas', '20h'),
    ],
  },
  {
    ...of,
    name: 'Conference Lisbon, team of six',
    priority: 'medium',
    by: 'priya',
    when: { last: span('1h 10m') },
    acts: [
      done('priya', '25m', 'file', 'Six tickets, flights, two nights: 9,700 EUR, cost centre 2300.'),
      done('tomas', '3h', 'receipts', 'Flights are quoted without luggage, 240 EUR more.'),
      left('Travel', 14_900),
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
      done('priya', '20m', 'file', 'Stand of 18 square metres, 7,900 EUR, cost centre 2300.'),
      done('tomas', '2h 10m', 'receipts', 'Matches the offer.'),
      left('Marketing', 31_050),
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
      done('sam', '15m', 'file', 'Audit of the annual accounts, 24,000 EUR, cost centre 1000.'),
      done('tomas', '1h 5m', 'receipts', 'As in the engagement letter.'),
      left('Audit and legal', 38_000),
      approved('ellen', '50m', 'owner'),
      approved('mara', '5h', 'signature', 'The offer from the second firm was 3,000 EUR higher.'),
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
      done('sam', '1h', 'file', 'Two ring scanners and a dock, 5,260 EUR, cost centre 4300.'),
      done('tomas', '4h', 'receipts', 'Moved to cost centre 4310, because goods-in now has its own.'),
      left('Equipment', 11_720),
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
      done('sam', '30m', 'file', 'Manual into six languages, 12,400 EUR, cost centre 2600.'),
      done('tomas', '1d 3h', 'receipts', 'The offer was per word, so I had to ask for the word count.'),
      left('Product', 9_100),
      approved('jonas', '18h', 'owner', 'The budget line is overdrawn by 3,300 EUR. Agreed with Mara.'),
      approved('mara', '1d 2h', 'signature', 'Yes. The rest comes from the reserve.'),
      notified('tell'),
    ],
  },
];
