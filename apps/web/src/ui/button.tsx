import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { buttonClass } from './button-class.ts';
import type { ButtonLooks } from './button-class.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import styles from './button.module.css';

// Only for pages with the router: elsewhere, `ButtonLink` can't be rendered.
export { ButtonLink } from './button-link.tsx';
export type { ButtonSize, ButtonTone } from './button-class.ts';

type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  ButtonLooks & {
    children: ReactNode;
    /** The label while the action is in progress. While it is set, clicks are ignored. */
    busy?: string | false | undefined;
    /**
     * The reason why the button is disabled. A disabled button stays in the tab order, so that people can read the
     * reason.
     */
    disabledReason?: string | undefined;
  };

/** A native button whose default type is `button`. */
export function Button({ tone, size, icon, busy, disabledReason, className, children, onClick, ...rest }: ButtonProps) {
  const idle = !busy && !disabledReason;
  // We use aria-disabled because a disabled button would lose the focus.
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

/** A button with only an icon. The label is its accessible name and, without a `title`, its tooltip. */
export function IconButton({ label, icon, tone = 'quiet', size = 'md', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={buttonClass({ tone, size }, styles.icon, className)}
    >
      <Icon of={icon} size={size === 'sm' ? 's' : 'm'} />
    </button>
  );
}

type LinkButtonProps = Omit<ComponentProps<'button'>, 'type'> & { small?: boolean };

/** A button that looks like a link, for use in or after a sentence. */
export function LinkButton({ small = false, className, ...rest }: LinkButtonProps) {
  return <button type="button" {...rest} className={classNames(styles.link, small && 'xs', className)} />;
}

/** An unstyled button, for features that style it, for example as a row or a card. */
export function Pressable(props: Omit<ComponentProps<'button'>, 'type'>) {
  return <button type="button" {...props} />;
}
