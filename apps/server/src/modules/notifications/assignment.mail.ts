import { type Letter, nameInMail } from '../../kernel/mail.ts';
import { momentInWords } from '@stet/presentation/moment-in-words';

type Assignment = {
  name: string;
  email: string;
  step: string;
  run: string;
  workflow: string;
  due: Date | null;
  link: string;
};

/** The email to the assignee of a step that is waiting. */
export function assignmentLetter({ email, due, link, ...names }: Assignment): Letter {
  const name = nameInMail(names.name);
  const step = nameInMail(names.step);
  const run = nameInMail(names.run);
  const workflow = nameInMail(names.workflow);
  return {
    to: { name, address: email },
    subject: `${step}: ${run}`,
    greeting: `Hello ${name},`,
    paragraphs: [`A step in “${run}” is waiting for you: “${step}”.`],
    facts: [
      ['Step', step],
      ['Run', run],
      ['Workflow', workflow],
      ['Due', due ? momentInWords(due) : 'No due time'],
    ],
    action: { label: 'Open the run', url: link },
    footnote: 'You received this email because the step is assigned to you.',
  };
}
