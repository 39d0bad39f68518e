import type { Escalation } from '@stet/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Field, Select, Textarea } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Note } from '../../../ui/note.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSaveEscalation } from '../api/use-escalation.ts';
import { intervalsWith, namesIn, namesProblem } from '../model/escalation-form.ts';

type EscalationFormProps = { workflowKey: string; saved: Escalation };

/** People and roles to tell of a breach, and how often; to read only for those who may not change it. */
export function EscalationForm({ workflowKey, saved }: EscalationFormProps) {
  // What was typed; null stands for what is saved.
  const [typed, setTyped] = useState<string | null>(null);
  const [picked, setPicked] = useState<{ minutes: number | null } | null>(null);
  const [tried, setTried] = useState(false);
  const save = useSaveEscalation(workflowKey);
  const text = typed ?? saved.tell.join('\n');
  const minutes = picked ? picked.minutes : saved.againAfterMinutes;
  const names = namesIn(text);
  const problem = namesProblem(names);
  const isUnchanged = JSON.stringify([names, minutes]) === JSON.stringify([saved.tell, saved.againAfterMinutes]);
  const canChange = saved.abilities.change;

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (problem) return focusFirstBad(event.currentTarget);
    if (save.isPending || isUnchanged) return;
    save.mutate(
      { tell: names, againAfterMinutes: minutes },
      {
        onSuccess: (answered) => {
          setTyped(null);
          setPicked(null);
          const isProposed = answered.tell.length !== names.length || answered.againAfterMinutes !== minutes;
          if (isProposed) toast.ok('Proposed', 'Another owner or admin has to confirm a weaker escalation.');
          else toast.ok('Escalation saved');
        },
      },
    );
  };
  return (
    <form className="sheet settings-form" onSubmit={send} noValidate>
      <Field
        label="Also tell"
        hint="Emails of members and roles (owner, admin, editor, reviewer, viewer), one a line. The assignee, owners and admins are always told."
        error={tried ? problem : null}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            readOnly={!canChange}
            value={text}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Field label="How often" hint="From the breach on, while the step still waits; ten times at most.">
        {(control) => (
          <Select
            {...control}
            disabled={!canChange}
            value={String(minutes)}
            onChange={(event) =>
              setPicked({ minutes: event.target.value === 'null' ? null : Number(event.target.value) })
            }
          >
            {intervalsWith(saved.againAfterMinutes).map((each) => (
              <option key={String(each.minutes)} value={String(each.minutes)}>
                {each.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {save.isError && <Note tone="bad">{errorSentence(save.error, 'Failed to save the escalation')}</Note>}
      {canChange && <SaveButton isPending={save.isPending} isUnchanged={isUnchanged} />}
    </form>
  );
}
