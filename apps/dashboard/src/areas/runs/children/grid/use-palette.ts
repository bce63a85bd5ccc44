import { type RefObject, useEffect, useState } from 'react';
import { useStore } from '../../../../store/create-store.js';
import { theme } from '../../../../theme.js';
import { type Palette, readPalette } from './grid-painter.js';

/** The colours of statuses in the present theme, for a canvas. */
export function usePalette(host: RefObject<HTMLElement | null>): Palette | undefined {
  const chosen = useStore(theme);
  const [palette, setPalette] = useState<Palette>();
  useEffect(() => {
    const read = () => {
      // The theme is applied to the document after the store has changed.
      requestAnimationFrame(() => host.current && setPalette(readPalette(host.current)));
    };
    read();
    const device = matchMedia('(prefers-color-scheme: dark)');
    device.addEventListener('change', read);
    return () => device.removeEventListener('change', read);
  }, [host, chosen]);
  return palette;
}
