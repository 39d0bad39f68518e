import type { Letter } from '../../../kernel/mail.ts';

type Message = { name: string; email: string; step: string; run: string; workflow: string; text: string; link: string };

/** The mail of a notification step; its text is what the workflow's authors wrote. */
export const messageLetter = ({ name, email, step, run, workflow, text, link }: Message): Letter => ({
  to: { name, address: email },
  subject: `${step}: ${run}`,
  greeting: `Hello ${name},`,
  paragraphs: text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ''),
  facts: [
    ['Run', run],
    ['Workflow', workflow],
  ],
  action: { label: 'Open the run', url: link },
  footnote: 'You get this mail because a step of the workflow names you as a recipient.',
});
