import type { GraphTone } from '../model/graph.js';

export interface GraphColors {
  ink: string;
  edge: string;
  selection: string;
  /** Fill of a node, and its border, which is the node at a small zoom. */
  tones: Record<GraphTone, { fill: string; line: string }>;
}

const TONES: Record<GraphTone, [fill: string, line: string]> = {
  neutral: ['--color-raised', '--color-line-strong'],
  accent: ['--color-accent-soft', '--color-accent-line'],
  queued: ['--color-queued-soft', '--color-queued-solid'],
  running: ['--color-running-soft', '--color-running-solid'],
  succeeded: ['--color-succeeded-soft', '--color-succeeded-solid'],
  failed: ['--color-failed-soft', '--color-failed-solid'],
  stopped: ['--color-stopped-soft', '--color-stopped-solid'],
};

/** The tokens of the current theme as a canvas accepts them. It computes styles, so call it once per theme. */
export function readColors(host: HTMLElement): GraphColors {
  const probe = document.createElement('span');
  // With reduced motion every element has a transition of 1 ms, and the computed colour would be that of its start.
  probe.style.transitionProperty = 'none';
  host.append(probe);
  const read = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const tones = Object.fromEntries(
    Object.entries(TONES).map(([tone, [fill, line]]) => [tone, { fill: read(fill), line: read(line) }]),
  ) as GraphColors['tones'];
  const colors = { ink: read('--color-ink'), edge: read('--grey-8'), selection: read('--color-accent'), tones };
  probe.remove();
  return colors;
}
