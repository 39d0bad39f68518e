import { Field, Textarea } from '../../../../ui/field.tsx';

type SampleFieldProps = { text: string; problem: string | null; onChange: (text: string) => void };

/** The sample data: outputs and run as editable JSON. It isn't saved. */
export function SampleField({ text, problem, onChange }: SampleFieldProps) {
  return (
    <Field
      label="Sample outputs"
      error={problem}
      hint="Made up from the steps before. Change them to try other cases; nothing of it is saved."
    >
      {(control) => (
        <Textarea
          {...control}
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
