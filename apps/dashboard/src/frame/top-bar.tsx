import { createStore } from '../store/create-store.js';
import { IconButton } from '../ui/button.js';
import { Logo } from './logo.js';
import { isPaletteOpen } from './palette-state.js';

/** Whether the sidebar is open on a narrow screen, where it covers the page. */
export const isSidebarShown = createStore(false);

/** The bar of narrow screens. */
export const TopBar = () => (
  <header className="flex items-center gap-2 border-b border-line bg-panel px-2 py-1.5 md:hidden">
    <IconButton
      icon="panelLeft"
      label="Menu"
      onClick={(event) => {
        event.stopPropagation();
        isSidebarShown.set(true);
      }}
    />
    <Logo />
    <span className="flex-1 font-semibold">Millrace</span>
    <IconButton icon="search" label="Search" onClick={() => isPaletteOpen.set(true)} />
  </header>
);
