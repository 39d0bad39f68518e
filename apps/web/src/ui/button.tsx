import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { buttonClass } from './button-class.ts';
import type { ButtonLooks } from './button-class.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import './button.css';

// A separate file, because pages without the router have buttons, too.
export { ButtonLink } from './button-link.tsx';
export type { ButtonSize, ButtonTone } from './button-class.ts';

type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  ButtonLooks & {
    children: ReactNode;
    /** The label while the action is in progress; while set, clicks do nothing. */
    busy?: string | false | undefined;
    /** Why the button is disabled. It stays in the tab order, so that the reason can be read. */
    disabledReason?: string | undefined;
  };

/** A native button, `type="button"` by default. */
export function Button({ tone, size, icon, busy, disabledReason, className, children, onClick, ...rest }: ButtonProps) {
  const idle = !busy && !disabledReason;
  // aria-disabled instead of disabled, so that the focus stays.
  const guard = (event: MouseEvent<HTMLButtonElement>) => (idle ? onClick?.(event) : event.preventDefault());
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ ...(tone && { tone }), ...(size && { size }) }, className)}
      aria-busy={busy ? true : undefined}
      aria-disabled={idle ? undefined : true}
      title={disabledReason ?? rest.title}
      onClick={guard}
    >
      {busy ? (
        <>
          <Spinner />
          {busy}
        </>
      ) : (
        <>
          {icon && <Icon of={icon} size="s" />}
          {children}
        </>
      )}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & { label: string; icon: LucideIcon } & Omit<
    ButtonLooks,
    'icon'
  >;

/** A button that shows an icon only; the label is its name and its tooltip. */
export function IconButton({ label, icon, tone = 'quiet', size = 'md', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={buttonClass({ tone, size }, 'icon', className)}
    >
      <Icon of={icon} size={size === 'sm' ? 's' : 'm'} />
    </button>
  );
}

type LinkButtonProps = Omit<ComponentProps<'button'>, 'type'> & { small?: boolean };

/** A button inside a sentence or beside one; looks like a link. */
export function LinkButton({ small = false, className, ...rest }: LinkButtonProps) {
  return <button type="button" {...rest} className={classNames('link', small && 'xs', className)} />;
}

/** A button whose look is its feature's: a row, a card, a part of a bar. */
export function Pressable(props: Omit<ComponentProps<'button'>, 'type'>) {
  return <button type="button" {...props} />;
}
