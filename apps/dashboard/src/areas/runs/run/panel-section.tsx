import type { ReactNode } from 'react';

interface PanelSectionProps {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of the panel at the right, with a title. */
export const PanelSection = ({ title, actions, children }: PanelSectionProps) => (
  <section className="flex flex-col">
    <div className="mb-1.5 flex min-h-7 items-center gap-2">
      <h2 className="min-w-0 flex-1 text-sm!">{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);
