import { Link, notFound, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useIsInstanceAdmin } from '../../api/roles.js';
import { readChoice } from '../../routing/read-search.js';
import { buttonClass } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { Skeleton } from '../../ui/skeleton.js';
import { tabClass } from '../../ui/tabs.js';
import { SECTION_NAMES, SECTIONS, type SectionName } from './sections.js';

/** What surrounds the pages for administrators of the installation. Other users see who can give them the role. */
export function InstallationLayout() {
  const isAdmin = useIsInstanceAdmin();
  const { section = '' } = useParams({ strict: false });
  const name = readChoice(section, SECTION_NAMES);
  if (name === undefined) return notFound({ throw: true });
  if (!isAdmin) return <NoAccess />;
  const { label, Page: SectionPage } = SECTIONS[name];
  return (
    <Page title="Installation" tabTitle={`${label} of the installation`} isFull>
      <nav
        aria-label="Installation"
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-6 max-sm:px-4"
      >
        {SECTION_NAMES.map((one) => (
          <SectionLink key={one} name={one} isCurrent={one === name} />
        ))}
      </nav>
      <Suspense fallback={<Skeleton />}>
        <SectionPage />
      </Suspense>
    </Page>
  );
}

/** On a narrow screen the row of links scrolls sideways. */
const showInRow = (link: HTMLElement | null) => link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

function SectionLink({ name, isCurrent }: { name: SectionName; isCurrent: boolean }) {
  const { label, Page: SectionPage } = SECTIONS[name];
  const preload = () => void SectionPage.preload?.();
  const attributes = {
    className: `${tabClass(isCurrent)} shrink-0`,
    ...(isCurrent && { 'aria-current': 'page' as const, ref: showInRow }),
    onPointerEnter: preload,
    onFocus: preload,
  };
  return name === '' ? (
    <Link to="/installation" activeOptions={{ exact: true }} {...attributes}>
      {label}
    </Link>
  ) : (
    <Link to="/installation/$section" params={{ section: name }} {...attributes}>
      {label}
    </Link>
  );
}

const NoAccess = () => (
  <EmptyState
    icon="lockKeyhole"
    title="You may not open this page"
    isPage
    actions={
      <Link to="/" className={buttonClass()}>
        Go to Home
      </Link>
    }
  >
    It is for administrators of the installation. One of them can give you the role, and so can its operator with{' '}
    <code className="font-mono text-xs">npm run admin</code>.
  </EmptyState>
);
