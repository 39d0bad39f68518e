import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import './button.css';

export type ButtonTone = 'plain' | 'primary' | 'quiet' | 'danger' | 'quiet-danger' | 'danger-solid';
export type ButtonSize = 'sm' | 'md' | 'lg';

type Looks = { tone?: ButtonTone; size?: ButtonSize; icon?: LucideIcon | undefined };

const classOf = ({ tone = 'plain', size = 'md' }: Looks, ...more: (string | undefined | false)[]) =>
  classNames('btn', tone !== 'plain' && tone, size !== 'md' && size, ...more);

type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  Looks & {
    children: ReactNode;
    /** What the button says while its action is under way; while set, clicks do nothing. */
    busy?: string | false | undefined;
    /** Why the button can't be used now. It stays in the tab order, so that the reason can be read. */
    disabledReason?: string | undefined;
  };

/** A native button, `type="button"` unless told otherwise. */
export function Button({ tone, size, icon, busy, disabledReason, className, children, onClick, ...rest }: ButtonProps) {
  const idle = !busy && !disabledReason;
  // aria-disabled rather than disabled: focus stays where the person put it.
  const guard = (event: MouseEvent<HTMLButtonElement>) => (idle ? onClick?.(event) : event.preventDefault());
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ ...(tone && { tone }), ...(size && { size }) }, className)}
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
    Looks,
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
      className={classOf({ tone, size }, 'icon', className)}
    >
      <Icon of={icon} size={size === 'sm' ? 's' : 'm'} />
    </button>
  );
}

type ButtonLinkProps = ComponentProps<typeof Link> & Looks;

/** A link that looks like a button: it goes somewhere, it doesn't do something. */
export function ButtonLink({ tone, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={classOf({ ...(tone && { tone }), ...(size && { size }) }, className)}>
      {icon && <Icon of={icon} size="s" />}
      {children}
    </Link>
  );
}
