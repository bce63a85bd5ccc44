import { createElement } from 'react';
import paths from './icon-paths.json';

/** The names of the icons in use. They come from Lucide (ISC license, https://lucide.dev/license), on a grid of 24 × 24. */
export type IconName = keyof typeof paths;

interface IconProps {
  name: IconName;
  /** Edge length in pixels; default 16. */
  size?: number;
  className?: string;
  /** What the icon says. Without it the icon is decoration, which screen readers skip. */
  label?: string;
}

export function Icon({ name, size = 16, className = '', label }: IconProps) {
  const elements = paths[name] as [tag: string, attributes: Record<string, string>][];
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {elements.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}
