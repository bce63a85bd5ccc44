import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { signOut } from '../../api/session.js';
import { activeShortcuts } from '../../keyboard/shortcuts.js';
import { theme } from '../../theme.js';
import { type Destination, MAIN_PAGES, useOtherPages } from '../navigation.js';
import { recordsQuery, type Entry } from './entries.js';
import { matchWords } from './match-words.js';

const PAUSE_MS = 150;

/** The pages and actions that match the typed text at once, and the records that the API finds. */
export function useEntries(typed: string): { entries: Entry[]; isSearching: boolean } {
  const text = usePaused(typed.trim());
  const records = useQuery({ ...recordsQuery(text), enabled: text !== '', placeholderData: keepPreviousData });
  const otherPages = useOtherPages();
  const [commands] = useState(() => listCommands([...MAIN_PAGES, ...otherPages]));
  const shownText = typed.trim();
  const matching = commands
    .map((entry) => ({ entry, score: matchWords(`${entry.label} ${entry.detail ?? ''}`, shownText) }))
    .filter(({ score }) => score > 0);
  if (shownText === '') return { entries: commands, isSearching: false };
  const ordered = matching.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry);
  // A page whose name was typed comes first, then what the user has made, then everything else.
  const isNamed = ({ label }: Entry) => label.toLowerCase().startsWith(shownText.toLowerCase());
  const entries = groupEntries([
    ...ordered.filter(isNamed),
    ...(records.data ?? []),
    ...ordered.filter((entry) => !isNamed(entry)),
  ]);
  return { entries, isSearching: records.isFetching };
}

/** The pages, the shortcuts of the page, and what is possible everywhere. */
function listCommands(destinations: readonly Destination[]): Entry[] {
  const pages = destinations.map(({ to, label, icon, keys }): Entry => ({
    id: `page-${to}`,
    group: 'Pages',
    label,
    icon,
    ...(keys !== undefined && { keys }),
    action: { type: 'open', link: { to } },
  }));
  const shortcuts = activeShortcuts
    .get()
    .filter(({ keys }) => !keys.startsWith('g ') && keys !== 'mod+k')
    .flatMap(({ keys, label, run }): Entry[] =>
      run
        ? [{ id: `shortcut-${keys}`, group: 'Here', label, icon: 'keyboard', keys, action: { type: 'do', run } }]
        : [],
    );
  return [...pages, ...shortcuts, ...GENERAL];
}

const act = (id: string, label: string, icon: Entry['icon'], run: () => void): Entry => ({
  ...{ id, label, icon, group: 'Actions' },
  action: { type: 'do', run },
});

const GENERAL: readonly Entry[] = [
  act('theme-light', 'Use the light theme', 'sun', () => theme.set('light')),
  act('theme-dark', 'Use the dark theme', 'moon', () => theme.set('dark')),
  act('theme-system', 'Use the theme of the device', 'sunMoon', () => theme.set('system')),
  act('sign-out', 'Sign out', 'logOut', () => void signOut()),
];

/** Entries of one group side by side, groups in the order of their first entry. */
function groupEntries(entries: readonly Entry[]): Entry[] {
  const groups = Map.groupBy(entries, ({ group }) => group);
  return [...groups.values()].flat();
}

/** The value after it has not changed for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
