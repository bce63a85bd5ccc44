import { useEffect, useRef } from 'react';
import { createStore } from '../store/create-store.js';

export interface Shortcut {
  /**
   * Keys as `mod+k` (Ctrl, on a Mac ⌘), `shift+enter`, `?`, or two keys in a row as `g r`. A single letter works only outside of
   * inputs.
   */
  keys: string;
  label: string;
  /** Absent: the key works by other means, such as an event of the browser, and is only listed. */
  run?: () => void;
  /** Whether it also works while the user types; default only for combinations with `mod`. */
  inInputs?: boolean;
}

/** All shortcuts of the page, for the list that `?` shows. The last one with the same keys applies. */
export const activeShortcuts = createStore<readonly Shortcut[]>([]);

/** Offers shortcuts while a component is shown. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const signature = shortcuts.map(({ keys, label }) => `${keys}\n${label}`).join('\n\n');
  useEffect(() => {
    const own = latest.current.map((shortcut, index) => ({
      ...shortcut,
      ...(shortcut.run && { run: () => latest.current[index]?.run?.() }),
    }));
    activeShortcuts.set([...activeShortcuts.get(), ...own]);
    return () => activeShortcuts.set(activeShortcuts.get().filter((shortcut) => !own.includes(shortcut)));
  }, [signature]);
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** How long the second key of a sequence may take. */
const SEQUENCE_TIMEOUT_MS = 1_200;

/** Runs shortcuts on key presses. @returns ends this */
export function listenForShortcuts(): () => void {
  let first: { key: string; at: number } | undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isInDialog(event)) return;
    const pressed = describeKeys(event);
    const sequence = first && event.timeStamp - first.at < SEQUENCE_TIMEOUT_MS ? `${first.key} ${pressed}` : undefined;
    const shortcut = find(sequence) ?? find(pressed);
    first = { key: pressed, at: event.timeStamp };
    if (!shortcut?.run || (isTyping(event) && !(shortcut.inInputs ?? pressed.startsWith('mod+')))) return;
    first = undefined;
    event.preventDefault();
    shortcut.run();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

const find = (keys: string | undefined): Shortcut | undefined =>
  keys === undefined
    ? undefined
    : activeShortcuts.get().findLast((shortcut) => shortcut.keys === keys && shortcut.run !== undefined);

/** The pressed keys in the notation of `Shortcut.keys`. */
export function describeKeys(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): string {
  const key = event.key.toLowerCase();
  // Shift is part of a character such as `?`.
  const isShifted = event.shiftKey && (key.length > 1 || /[a-z]/.test(key));
  const modifiers = [
    (isMac ? event.metaKey : event.ctrlKey) && 'mod',
    event.altKey && 'alt',
    isShifted && 'shift',
  ].filter(Boolean);
  return [...modifiers, key === ' ' ? 'space' : key].join('+');
}

/** Whether the key goes to a dialog or a menu over the page, which the shortcuts of the page do not concern. */
const isInDialog = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest('dialog, [role=dialog], [role=menu]') !== null;

/** Whether the key goes into a field. The path reaches into shadow roots, which hide their focused element from `target`. */
function isTyping(event: KeyboardEvent): boolean {
  const [element] = event.composedPath();
  return (
    element instanceof HTMLElement && (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName))
  );
}

const KEY_NAMES: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: isMac ? '⇧' : 'Shift',
  enter: 'Enter',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  delete: 'Del',
  backspace: '⌫',
};

/** The keys as a keyboard names them: `mod+shift+z` is `Ctrl Shift Z`. */
export const keyNames = (keys: string): string[] =>
  keys.split(/(?<=\w)\+| /).map((key) => KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key));
