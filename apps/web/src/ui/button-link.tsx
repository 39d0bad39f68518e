import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { buttonClass } from './button-class.ts';
import type { ButtonLooks } from './button-class.ts';
import { Icon } from './icon.tsx';

type ButtonLinkProps = ComponentProps<typeof Link> & ButtonLooks;

/** A link styled as a button, for navigation. */
export function ButtonLink({ tone, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass({ ...(tone && { tone }), ...(size && { size }) }, className)}>
      {icon && <Icon of={icon} size="s" />}
      {children}
    </Link>
  );
}
