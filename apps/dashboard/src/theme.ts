import { createStoredValue } from './store/stored-value.js';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const isTheme = (value: unknown): value is Theme => THEMES.includes(value as Theme);

/** The reader's choice; `system` follows the settings of the device. */
export const theme = createStoredValue<Theme>('theme', 'system', (value) => (isTheme(value) ? value : undefined));

/** Applies the theme now, and whenever it changes, also in another tab. */
export function applyTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    if (chosen === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  };
  theme.subscribe(apply);
  apply();
}
