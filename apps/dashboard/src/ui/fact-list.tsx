import type { ReactNode } from 'react';

/** Facts of a record below each other, names at the left. */
export const FactList = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <dl className={`grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1 text-sm ${className}`}>{children}</dl>
);

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="whitespace-nowrap text-muted">{label}</dt>
    <dd className="wrap-text min-w-0">{children}</dd>
  </>
);
