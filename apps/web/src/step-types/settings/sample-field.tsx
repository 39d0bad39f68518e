import { Field, Textarea } from '../../ui/field.tsx';

type SampleFieldProps = { text: string; problem: string | null; onChange: (text: string) => void };

/** The sample outputs and run as JSON. The person can edit them, but edits aren't saved. */
export function SampleField({ text, problem, onChange }: SampleFieldProps) {
  return (
    <Field
      label="Sample outputs"
      error={problem}
      hint="Sample data from earlier steps. Edit it to test other cases; it isn’t saved."
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
