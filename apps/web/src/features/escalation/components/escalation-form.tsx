import type { Escalation } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Field, Select, TextareaField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { escalationSchema, useSaveEscalation } from '../api/use-escalation.ts';
import { escalationWords, intervalsWith, isSame, namesIn } from '../model/escalation-fields.ts';

type EscalationFormProps = { workflowKey: string; saved: Escalation };

/** The other people and roles to notify of a breach, and the interval of reminders. */
export function EscalationForm({ workflowKey, saved }: EscalationFormProps) {
  const save = useSaveEscalation(workflowKey);
  const form = useContractForm({
    schema: escalationSchema,
    initial: { tell: saved.tell.join('\n'), againAfterMinutes: saved.againAfterMinutes },
    body: ({ tell, againAfterMinutes }) => ({ tell: namesIn(tell), againAfterMinutes }),
    failed: 'Failed to save the escalation',
    send: async (body) => {
      const answered = await save.mutateAsync(body);
      form.reset();
      if (isSame(answered, body)) toast.ok('Escalation saved');
      else toast.ok('Proposed', 'Another owner or admin must confirm the weaker escalation.');
    },
  });
  const { tell, againAfterMinutes } = form.values;
  const isUnchanged = isSame({ tell: namesIn(tell), againAfterMinutes }, saved);
  const canChange = saved.abilities.change;
  return (
    <form className="sheet settings-form" onSubmit={form.submit} noValidate>
      {saved.pending && (
        <Note>
          {isolated(saved.pending.proposedBy.name)} proposed a weaker escalation: {escalationWords(saved.pending)}.
          Nothing changes until another owner or admin confirms it. · <RelativeTime at={saved.pending.proposedAt} />
        </Note>
      )}
      <TextareaField
        {...form.field('tell')}
        label="Also notify"
        hint="Member emails or roles (owner, admin, editor, reviewer, viewer), one per line. The assignee, owners and admins are always notified."
        rows={4}
        readOnly={!canChange}
      />
      <Field label="How often" hint="Repeats while the step is overdue, at most ten times.">
        {(control) => (
          <Select
            {...control}
            disabled={!canChange}
            value={String(againAfterMinutes)}
            onChange={(event) =>
              form.change({ againAfterMinutes: event.target.value === 'null' ? null : Number(event.target.value) })
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
      {form.problem && <Note tone="bad">{form.problem}</Note>}
      {canChange && <SaveButton isPending={form.isSending} isUnchanged={isUnchanged} />}
    </form>
  );
}
