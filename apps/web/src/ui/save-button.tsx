import { Button } from './button.tsx';

type SaveButtonProps = {
  isPending: boolean;
  /** What stands in the form is what is saved. */
  isUnchanged: boolean;
};

/** The end of a form that keeps settings. */
export function SaveButton({ isPending, isUnchanged }: SaveButtonProps) {
  return (
    <div className="acts">
      <Button
        type="submit"
        tone="primary"
        busy={isPending && 'Saving…'}
        disabledReason={isUnchanged ? 'Nothing is changed yet.' : undefined}
      >
        Save
      </Button>
    </div>
  );
}
