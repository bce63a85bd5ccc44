import { Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useShortcuts } from '../keyboard/shortcuts.js';
import { useStore } from '../store/create-store.js';
import { ConnectionBanner } from './connection-banner.js';
import { MAIN_PAGES, useOtherPages } from './navigation.js';
import { isPaletteOpen } from './palette-state.js';
import { SessionGuard } from './session-guard.js';
import { Sidebar } from './sidebar.js';
import { isSidebarShown, TopBar } from './top-bar.js';

const loadPalette = () => import('./palette/palette.js');
const Palette = lazy(() => loadPalette().then(({ Palette }) => ({ default: Palette })));
const ShortcutList = lazy(() =>
  import('../keyboard/shortcut-list.js').then(({ ShortcutList }) => ({ default: ShortcutList })),
);

/** After the first paint of the page. */
const PALETTE_DELAY_MS = 1_000;

/** What surrounds every page of a signed-in user. */
export function Frame() {
  const navigate = useNavigate();
  const [isListShown, setListShown] = useState(false);
  const isSearching = useStore(isPaletteOpen);
  const otherPages = useOtherPages();
  useShortcuts([
    { keys: 'mod+k', label: 'Search and do', run: () => isPaletteOpen.set(true) },
    { keys: '?', label: 'List the shortcuts', run: () => setListShown(true) },
    ...[...MAIN_PAGES, ...otherPages].flatMap(({ to, label, keys }) =>
      keys === undefined ? [] : [{ keys, label: `Go to ${label}`, run: () => void navigate({ to }) }],
    ),
  ]);
  useEffect(() => {
    // Keys that are typed while the palette loads would be lost. If this fails, opening the palette loads it.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="flex h-full">
      <a
        href="#content"
        className="sr-only z-60 rounded-md bg-raised px-3 py-2 shadow-float focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col" onClickCapture={() => isSidebarShown.set(false)}>
        <TopBar />
        <ConnectionBanner />
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
          <Outlet />
        </main>
      </div>
      <SessionGuard />
      <Suspense>
        {isSearching && <Palette />}
        {isListShown && <ShortcutList onClose={() => setListShown(false)} />}
      </Suspense>
    </div>
  );
}
