import { Button } from './button.tsx';

type SaveButtonProps = {
  label?: string;
  /** Whether it is what the page is for. */
  primary?: boolean;
  isPending: boolean;
  /** What stands in the form is what is saved. */
  isUnchanged: boolean;
};

/** The end of a form that keeps settings. */
export function SaveButton({ label = 'Save', primary = true, isPending, isUnchanged }: SaveButtonProps) {
  return (
    <div className="acts">
      <Button
        type="submit"
        {...(primary && { tone: 'primary' as const })}
        busy={isPending && 'Saving…'}
        disabledReason={isUnchanged ? 'Nothing is changed yet.' : undefined}
      >
        {label}
      </Button>
    </div>
  );
}
