import { type RunScript, approved, broke, done, ran, rejected, retried, span, notified } from '../run-script.ts';

const of = { workflow: 'gdpr-data-request', version: 4 };
const collected = (records: number) =>
  ran('collect', { text: `${records} records from CRM, shop, helpdesk and email`, records }, 6);

export const dataRequestRuns: readonly RunScript[] = [
  {
    ...of,
    name: 'Data request 121',
    priority: 'medium',
    by: 'priya',
    when: { last: span('5h') },
    acts: [
      done('priya', '3h', 'register', 'Access, requested by letter. The answer should be a letter too.'),
      done('jonas', '1d 2h', 'identity', 'Customer number and date of the last order match.'),
      collected(214),
      done('sam', '1d', 'search', 'Searched drives and meeting notes, and found two notes. Nothing on paper.'),
      done('priya', '23h', 'redact', 'Nine passages, all names of other customers in helpdesk threads. List attached.'),
    ],
  },
  {
    ...of,
    name: 'Data request 117',
    priority: 'high',
    by: 'priya',
    when: { last: span('2d 12h') },
    acts: [
      done('priya', '2h', 'register', 'Access and erasure, by email, through a lawyer.'),
      done('jonas', '20h', 'identity', 'The power of attorney is here. I called the office to be sure.'),
      collected(1038),
    ],
  },
  {
    ...of,
    name: 'Data request 114',
    priority: 'high',
    by: 'sam',
    when: { last: span('1d 6h') },
    acts: [
      done('priya', '1d 3h', 'register', 'Access. The letter was at goods-in for a day.'),
      done('jonas', '2d 20h', 'identity', 'Answered from the address that we have on file.'),
      broke('collect', 'The CRM export returned 503 three times'),
    ],
  },
  {
    ...of,
    name: 'Data request 111',
    priority: 'medium',
    by: 'priya',
    when: { week: 2, day: 'Mon', at: '08:30' },
    acts: [
      done('priya', '2h', 'register', 'Correction of a postal address and access, by web form.'),
      done('jonas', '1d 1h', 'identity', 'Signed in to the account and confirmed from there.'),
      broke('collect', 'The helpdesk export ran longer than 900 seconds'),
      retried('tomas', '45m', 'collect'),
      collected(86),
      done('sam', '23h', 'search', 'Nothing outside the systems.'),
      done('priya', '5h', 'redact', 'Nothing to redact except the signatures of two colleagues.'),
      approved('sam', '17h', 'redact'),
      approved('jonas', '6h', 'read'),
      done('priya', '19h', 'answer', 'Sent by email. They confirmed that the address is correct now.'),
      notified('close'),
    ],
  },
  {
    ...of,
    name: 'Data request 109',
    priority: 'low',
    by: 'priya',
    when: { week: 3, day: 'Mon', at: '11:00' },
    acts: [
      done('priya', '1h', 'register', 'Access, former applicant.'),
      done('jonas', '1d 22h', 'identity', 'Recognised on the phone, and the date of birth matches.'),
      collected(31),
      done('sam', '1d 4h', 'search', 'Interview notes on the team’s drive, and one print-out.'),
      done('priya', '20h', 'redact', 'Names of the other applicants.'),
      rejected(
        'tomas',
        '1h',
        'redact',
        'On page two, the interviewer asked for confidentiality. Please redact that too.',
      ),
      done('priya', '2h', 'redact', 'Names of the other applicants, and the paragraph on page two.'),
      approved('tomas', '30m', 'redact'),
      approved('ellen', '2d 19h', 'read', 'Reads well. Nobody else is named.'),
      done('priya', '5h', 'answer', 'Sent by post, with the address of the authority.'),
      notified('close'),
    ],
  },
];
