import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../frame/logo.js';

/** The frame of the pages before a sign-in: one column in the middle. */
export function AccountPage({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} – Millrace`;
  }, [title]);
  return (
    <main className="flex min-h-full items-start justify-center px-4 pt-[12vh] pb-12">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-2.5 text-lg font-semibold">
          <Logo size={28} />
          Millrace
        </div>
        <h1 className="wrap-text">{title}</h1>
        {description && <div className="wrap-text mt-1.5 text-sm text-muted">{description}</div>}
        <div className="mt-6">{children}</div>
      </div>
    </main>
  );
}
