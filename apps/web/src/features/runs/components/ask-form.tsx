import type { Run, RunStep } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { useMembers } from '../../../lib/session/use-members.ts';
import { Button } from '../../../ui/button.tsx';
import { TextareaField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { PersonField } from '../../../ui/person-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { noteSchema, useAddNote } from '../api/use-notes.ts';
import { questionText } from '../model/question-text.ts';

type AskFormProps = { runId: Run['id']; step: Pick<RunStep, 'id' | 'title'>; onClose: () => void };

/** Asks one person about a step. The question is a note on the step that mentions them. */
export function AskForm({ runId, step, onClose }: AskFormProps) {
  const { id: userId } = useUser();
  const members = useMembers({ staleTime: 60_000 });
  const everyone = members.data ?? [];
  const others = everyone.filter(({ id }) => id !== userId);
  const addNote = useAddNote(runId);
  const form = useContractForm({
    schema: noteSchema,
    initial: { person: '', text: '' },
    body: ({ person: id, text }) => {
      const person = everyone.find((each) => each.id === id);
      return { text: text.trim() && person ? questionText(person, text.trim(), everyone) : '', stepId: step.id };
    },
    rules: ({ person, text }) => ({
      ...(person === '' && { person: 'Choose someone to ask' }),
      text: text.trim() === '' ? 'Write your question' : '',
    }),
    failed: 'The question was not sent',
    send: async (body, { person }) => {
      await addNote.mutateAsync(body);
      toast.ok('Question sent', `${isolated(everyone.find(({ id }) => id === person)?.name ?? '')} has been notified`);
      onClose();
    },
  });
  return (
    <Modal
      open
      title="Ask a colleague"
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Sending…'}>
            Ask
          </Button>
        </>
      }
    >
      <PersonField {...form.field('person')} label="Colleague" people={others} data-autofocus />
      <TextareaField
        {...form.field('text')}
        label="Question"
        hint={`It is added to the notes on “${isolated(step.title)}”, where they can answer.`}
        rows={4}
        maxLength={9000}
        dir="auto"
      />
      {members.isError && <Note tone="bad">The members couldn’t be loaded. Close this and try again.</Note>}
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
