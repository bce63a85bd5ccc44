import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.js';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-white hover:bg-accent-hover border-transparent',
  secondary: 'bg-raised text-ink border-line hover:bg-hover active:bg-pressed',
  quiet: 'text-muted border-transparent hover:bg-hover hover:text-ink active:bg-pressed',
  danger: 'bg-raised text-failed border-line hover:bg-failed-soft',
};

/** The classes of a button, for links that look like one. */
export const buttonClass = (look: Look = 'secondary', isIcon = false): string =>
  `inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md border text-sm font-medium whitespace-nowrap select-none ` +
  `transition-colors duration-150 disabled:opacity-50 disabled:pointer-events-none ${isIcon ? 'w-8' : 'px-3'} ${LOOKS[look]}`;

type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  look?: Look;
  icon?: IconName;
  /** Whether its action is under way: the button stays focusable, and does nothing. */
  isPending?: boolean;
  type?: 'button' | 'submit';
};

export function Button({
  look,
  icon,
  isPending,
  className = '',
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const iconName = isPending ? 'loader' : icon;
  return (
    <button
      {...rest}
      type={type}
      aria-busy={isPending || undefined}
      onClick={isPending ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass(look)} ${className}`}
    >
      {iconName && <Icon name={iconName} className={isPending ? 'animate-spin' : ''} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: IconName;
  /** What it does; shown on hover, and read by screen readers. */
  label: string;
  look?: Look;
};

export function IconButton({ icon, label, look = 'quiet', className = '', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={`${buttonClass(look, true)} ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
