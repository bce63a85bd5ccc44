import { type RefObject, useEffect, useState } from 'react';
import { theme } from '../../theme.js';
import { type GraphColors, readColors } from './graph-colors.js';

/** The colours of the current theme, read again when it changes. */
export function useColors(host: RefObject<HTMLElement | null>): GraphColors | undefined {
  const [colors, setColors] = useState<GraphColors>();
  useEffect(() => {
    const update = () => {
      if (host.current) setColors(readColors(host.current));
    };
    update();
    const device = matchMedia('(prefers-color-scheme: dark)');
    device.addEventListener('change', update);
    const unsubscribe = theme.subscribe(update);
    return () => {
      device.removeEventListener('change', update);
      unsubscribe();
    };
  }, [host]);
  return colors;
}
