import { Button } from './button.tsx';

type SaveButtonProps = {
  label?: string;
  /** Whether saving is the main action of the page. */
  primary?: boolean;
  isPending: boolean;
  /** Whether the form equals the saved values. */
  isUnchanged: boolean;
};

/** The submit button of a settings form. */
export function SaveButton({ label = 'Save', primary = true, isPending, isUnchanged }: SaveButtonProps) {
  return (
    <div className="actions">
      <Button
        type="submit"
        {...(primary && { tone: 'primary' as const })}
        busy={isPending && 'Saving…'}
        disabledReason={isUnchanged ? 'There are no changes to save' : undefined}
      >
        {label}
      </Button>
    </div>
  );
}
