import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import { Popover } from './popover.tsx';
import './term-help.css';

const TERMS = {
  draft: {
    question: 'What is a draft?',
    answer:
      'A proposed next version: while it is written and reviewed, nothing changes for anyone. Once it is approved and merged, it is the live version.',
  },
  live: {
    question: 'What does live mean?',
    answer:
      'New runs use the live version. Its content never changes. To change the workflow, create a draft; it replaces the live version when it is merged.',
  },
  sla: {
    question: 'What is an SLA?',
    answer:
      'The time that a step may take once it waits for somebody. After four fifths of it the step is at risk, after all of it breached.',
  },
  contributor: {
    question: 'Who is a contributor?',
    answer:
      'Everyone who saved a change of this draft. Contributors can’t approve it, so that whatever was written is read by somebody else.',
  },
} as const;

/** A question mark beside an unfamiliar term; opens its explanation in two sentences. */
export function TermHelp({ term }: { term: keyof typeof TERMS }) {
  const [open, setOpen] = useState(false);
  const { question, answer } = TERMS[term];
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      label={question}
      trapFocus
      target={
        <IconButton
          className="term-help"
          label={question}
          icon={CircleHelp}
          size="sm"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      }
    >
      <p className="term-answer" tabIndex={-1} data-autofocus>
        {answer}
      </p>
    </Popover>
  );
}
