import type { ReactNode } from 'react';

/** A block of settings: a title, what it does, and the controls. */
export const Setting = ({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) => (
  <section className="border-b border-line py-6 first:pt-0 last:border-0">
    <h2>{title}</h2>
    {description && <div className="mt-1 text-sm text-muted">{description}</div>}
    <div className="mt-4">{children}</div>
  </section>
);
