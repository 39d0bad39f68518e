import { type RunScript, approved, done, paused, ran, rejected, span, notified } from '../run-script.ts';

const noHit = ran('sanctions', { text: 'No hit on EU, UN and OFAC lists', lists: 3, hits: 0 });
const workflow = 'vendor-onboarding';
const of = { workflow, version: 7 };

/** Runs of v6, five a week. One person reviewed the documents, after the risk was assessed. */
const EARLIER = [
  ['Alba Textil', 'Brandt & Sohn', 'Corvina Foods', 'Drava Metall', 'Estuary Software'],
  ['Ferro Ibérica', 'Gotland Trä', 'Havel Druck', 'Istria Olio', 'Jura Optik'],
  ['Kestrel Freight', 'Loire Verre', 'Minho Têxteis', 'Narva Elekter', 'Oder Chemie'],
  ['Piemonte Caffè', 'Quarnero Marine', 'Rhön Holz', 'Skåne Plast', 'Tatra Papier'],
  ['Umbria Ceramica', 'Vltava Glass', 'Weser Stahl', 'Yorkshire Wool', 'Zagreb Optika'],
] as const;
/** Runs of v7, five a week. Two people had to review the documents, and the second one took days. */
const RECENT = [
  ['Aare Präzision', 'Bosna Keramika', 'Cádiz Pesca', 'Dalarna Data', 'Emilia Motori'],
  ['Fulda Reifen', 'Galway Labs', 'Harz Kartonagen', 'Inn Pharma', 'Jonsson Maskin'],
  ['Karst Kamen', 'Lipari Sale', 'Mosel Wein', 'Nissa Toys', 'Olomouc Svět'],
  ['Porto Cortiça', 'Riga Linen', 'Savoie Skis', 'Tisza Hús', 'Ulm Sensorik'],
] as const;

/** Durations of steps. The runs use the durations of a step in turn. */
const TOOK = {
  documents: ['6h', '9h', '5h', '10h', '7h'],
  riskBefore: ['14h', '16h', '13h', '17h', '15h'],
  readerBefore: ['6h', '18h', '5h', '17h', '7h'],
  contractBefore: ['5h', '4h', '6h', '5h', '4h'],
  risk: ['3h', '2h', '5h', '4h', '2h 30m'],
  reader: ['30m', '1h', '20m', '50m', '40m'],
  secondReader: ['1d 16h', '2d 9h', '2d 4h', '2d 12h', '2d 6h'],
  contract: ['3h', '5h', '2h', '4h', '3h 30m'],
} as const;
const STARTS = ['08:40', '09:15', '10:05', '09:50', '08:55'] as const;

/** The runs of past weeks, the first of which began in `firstWeek`. */
function onboarded(version: 6 | 7, weeks: readonly (readonly string[])[], firstWeek: number): RunScript[] {
  return weeks.flatMap((names, later) =>
    names.map((name, n): RunScript => {
      const took = (step: keyof typeof TOOK): string => TOOK[step][(later + n) % 5] ?? '';
      const reading =
        version === 6
          ? [
              done('jonas', took('riskBefore'), 'risk', 'Below 75 points. Tier 2.'),
              approved('ellen', took('readerBefore'), 'compliance'),
            ]
          : [
              done('jonas', took('risk'), 'risk', 'Below 75 points. Tier 2.'),
              approved('ellen', took('reader'), 'compliance'),
              approved('jonas', took('secondReader'), 'compliance'),
            ];
      return {
        workflow,
        version,
        name,
        priority: n === 0 ? 'high' : 'medium',
        by: 'priya',
        when: { week: firstWeek - later, day: n % 2 === 0 ? 'Mon' : 'Tue', at: STARTS[n] ?? '' },
        acts: [
          done('priya', '1h 20m', 'request', `${name}. The offer is attached.`),
          done('sam', took('documents'), 'documents', 'The tax certificate and bank confirmation have arrived.'),
          noHit,
          ...reading,
          approved('mara', took(version === 6 ? 'contractBefore' : 'contract'), 'contract'),
          done('sam', '3h', 'paper', 'Filed.'),
          done('sam', '1h', 'erp', 'Created, thirty days net.'),
          notified('tell'),
        ],
      };
    }),
  );
}

export const vendorRuns: readonly RunScript[] = [
  ...onboarded(6, EARLIER, 11),
  ...onboarded(7, RECENT, 5),
  {
    ...of,
    name: 'Nordlicht GmbH',
    description: 'Light fittings for the new hall.',
    priority: 'high',
    by: 'priya',
    when: { last: span('4h 14m') },
    acts: [
      done('priya', '1h 48m', 'request', 'Nordlicht GmbH, Hamburg. Ms Ahrens. 42,000 EUR a year. Offer attached.'),
      done(
        'sam',
        '1d 8h 28m',
        'documents',
        'The tax certificate and bank confirmation have arrived, both from last month.',
      ),
      noHit,
      approved('ellen', '16h 41m', 'compliance', 'Spoke to Ms Ahrens, last four digits match.'),
    ],
  },
  {
    ...of,
    name: 'Bastide & Fils',
    description: 'Pallets. They merge with Roux at the end of the month, so the name may change.',
    priority: 'medium',
    by: 'priya',
    when: { last: span('6h') },
    acts: [done('priya', '2h', 'request', 'Bastide & Fils SARL, Lyon. 18,000 EUR a year.'), paused('priya', '20h')],
  },
  {
    ...of,
    name: 'Castell Logistics',
    priority: 'urgent',
    by: 'sam',
    when: { last: span('2d 9h') },
    acts: [
      done(
        'priya',
        '2h',
        'request',
        'Castell Logistics SL, Tarragona. Needed for the spring deliveries, 120,000 EUR a year.',
      ),
    ],
  },
  {
    ...of,
    name: 'Helvetia Papier AG',
    priority: 'low',
    by: 'priya',
    when: { last: span('9h') },
    acts: [
      done('priya', '55m', 'request', 'Helvetia Papier AG, Biel. 9,000 EUR a year.'),
      done('sam', '1d 3h', 'documents', 'Both documents have arrived. The certificate is in German and French.'),
      noHit,
      approved('jonas', '5h', 'compliance', 'The register and the letterhead match.'),
      done('jonas', '1h', 'risk', '38 points: office paper, no data, 9,000 EUR a year. Tier 3.'),
      approved('ellen', '16h', 'compliance'),
      approved('mara', '1d 2h', 'contract', 'Signed with Tomás.'),
    ],
  },
  {
    ...of,
    name: 'Okeanos Shipping',
    priority: 'low',
    by: 'priya',
    when: { week: 2, day: 'Mon', at: '08:40' },
    acts: [
      done(
        'priya',
        '1h 10m',
        'request',
        'Okeanos Shipping SA, Piraeus. Replaces the old framework, 60,000 EUR a year.',
      ),
      done(
        'sam',
        '1d 4h',
        'documents',
        'The tax certificate has an apostille, and the bank confirmation is two weeks old.',
      ),
      noHit,
      done('jonas', '2h 10m', 'risk', '64 points: freight papers with names, 60,000 EUR a year. Tier 2.'),
      approved('jonas', '25m', 'compliance'),
      approved('ellen', '17h', 'compliance', 'Called the number in the Greek register. They were expecting our call.'),
      approved('mara', '1d 5h', 'contract'),
      done('sam', '20h', 'paper', 'Filed under O, cabinet 2.'),
      done('sam', '2h', 'erp', 'Vendor 70412, thirty days net.'),
      notified('tell'),
    ],
  },
  {
    ...of,
    name: 'Vega Analytics',
    description: 'Market data for pricing.',
    priority: 'medium',
    by: 'sam',
    when: { week: 3, day: 'Tue', at: '09:05' },
    acts: [
      done('priya', '3h', 'request', 'Vega Analytics BV, Utrecht. 26,000 EUR a year.'),
      done('sam', '2d 3h', 'documents', 'The first bank confirmation was a year old, so they sent a new one.'),
      noHit,
      done('jonas', '22h', 'risk', '71 points: reads our prices, no personal data. Tier 2.'),
      approved('ellen', '20m', 'compliance'),
      approved(
        'jonas',
        '2d 20h',
        'compliance',
        'The register entry was being changed, so I had to wait for the new one.',
      ),
      approved('mara', '1d 1h', 'contract'),
      done('sam', '1d 4h', 'paper', 'Filed under V, cabinet 3.'),
      done('sam', '1h 20m', 'erp', 'Vendor 70409, fourteen days net.'),
      notified('tell', ['finance@haldenworks.example']),
    ],
  },
  {
    ...of,
    name: 'Meridian Consulting',
    priority: 'high',
    by: 'sam',
    when: { week: 1, day: 'Mon', at: '10:15' },
    acts: [
      done('priya', '2h', 'request', 'Meridian Consulting Ltd, Dublin. 35,000 EUR for one project.'),
      done('sam', '1d 2h', 'documents', 'The certificate and the confirmation came from a free email address.'),
      noHit,
      rejected(
        'ellen',
        '18h 40m',
        'compliance',
        'The register number belongs to a company that was dissolved two years ago.',
      ),
    ],
  },
];
