import { formatCount } from '../../../../text/format-count.js';
import { formatDuration } from '../../../../text/format-duration.js';
import { STATUS_LOOKS } from '../../../../ui/status-looks.js';
import type { ChildStates } from '../../live/child-states.js';

/** A child in words: `Child 12: failed, 1.2 s, host-12.example.org`. @param place from 0 */
export function describeChild(states: ChildStates, place: number, item: string | undefined, now = Date.now()): string {
  const duration = states.elapsedAt(place, now);
  const parts = [
    STATUS_LOOKS[states.statusAt(place)].label.toLowerCase(),
    ...(duration === undefined ? [] : [formatDuration(duration)]),
    ...(item === undefined ? [] : [item]),
  ];
  return `Child ${formatCount(place + 1)}: ${parts.join(', ')}`;
}
