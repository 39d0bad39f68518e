import { type Letter, nameInMail } from '../../../kernel/mail.ts';

type Message = { name: string; email: string; step: string; run: string; workflow: string; text: string; link: string };

/** The email that a notification step sends, with the text written by the workflow's authors. */
export function messageLetter({ email, text, link, ...names }: Message): Letter {
  const name = nameInMail(names.name);
  const run = nameInMail(names.run);
  return {
    to: { name, address: email },
    subject: `${nameInMail(names.step)}: ${run}`,
    greeting: `Hello ${name},`,
    paragraphs: text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ''),
    facts: [
      ['Run', run],
      ['Workflow', nameInMail(names.workflow)],
    ],
    action: { label: 'Open the run', url: link },
    footnote: 'You received this email because a workflow step names you as a recipient.',
  };
}
