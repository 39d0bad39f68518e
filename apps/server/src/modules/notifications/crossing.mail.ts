import { type Letter, nameInMail } from '../../kernel/mail.ts';
import { momentInWords } from '@stet/presentation/moment-in-words';

type Crossing = {
  kind: 'sla_at_risk' | 'sla_breached' | 'sla_reminded';
  name: string;
  email: string;
  /** The title of the step. Null if the email is about the run as a whole. */
  step: string | null;
  run: string;
  workflow: string;
  due: Date | null;
  link: string;
};

const SUBJECTS = { sla_at_risk: 'At risk', sla_breached: 'Breached', sla_reminded: 'Still overdue' } as const;

/** The email about an SLA that is at risk or breached, and the reminder of a breach. */
export const crossingLetter = ({ kind, email, due, link, ...names }: Crossing): Letter => {
  const name = nameInMail(names.name);
  const step = names.step === null ? null : nameInMail(names.step);
  const run = nameInMail(names.run);
  const workflow = nameInMail(names.workflow);
  const what = step === null ? `The run “${run}”` : `The step “${step}” in “${run}”`;
  return {
    to: { name, address: email },
    subject: `${SUBJECTS[kind]}: ${step ?? run}`,
    greeting: `Hello ${name},`,
    paragraphs: [kind === 'sla_at_risk' ? `${what} has used 80% of its SLA.` : `${what} is overdue.`],
    facts: [
      ...(step === null ? [] : [['Step', step] as [string, string]]),
      ['Run', run],
      ['Workflow', workflow],
      ['Due', due ? momentInWords(due) : 'No due time'],
    ],
    action: { label: 'Open the run', url: link },
    footnote:
      'You received this email because the step is assigned to you or because you are responsible for overdue steps.',
  };
};
