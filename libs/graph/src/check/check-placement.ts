import { showName } from '../names/check-name.js';
import { type LevelNode } from '../parse/level.js';
import { type Problems } from './problem.js';

/** What a label, its value and the name of a fleet may be: the same as for workers. */
export const LABEL_FORMAT = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/;
export const FLEET_FORMAT = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LABELS = 16;

const LABEL_HINT =
  'Use 1 to 63 letters, digits, `.`, `_`, `/` and `-`, with a letter or digit at both ends, for example gpu: "true".';
const FLEET_HINT = 'Use 1 to 63 lower-case letters, digits and `-`, with a letter or digit at both ends.';

/** Checks `fleet` and `labels` of a node. Whether a worker has them is only known when it runs. */
export function checkPlacement({ name, node }: LevelNode, errors: Problems): void {
  const { fleet, labels } = node;
  const at = { code: 'bad_placement', node: name } as const;
  if (fleet != null && !FLEET_FORMAT.test(fleet)) {
    const message = `The \`fleet\` of node ${showName(name)} is not the name of a fleet (got ${showName(fleet)}).`;
    errors.add({ ...at, path: `nodes.${name}.fleet`, message, hint: FLEET_HINT });
  }
  const entries = Object.entries(labels ?? {});
  if (entries.length > MAX_LABELS) {
    const message = `Node ${showName(name)} has ${entries.length} \`labels\`; at most ${MAX_LABELS} are allowed.`;
    errors.add({ ...at, path: `nodes.${name}.labels`, message, hint: 'Remove some of them.' });
  }
  const bad = entries.find((entry) => entry.some((text) => !LABEL_FORMAT.test(text)));
  if (bad === undefined) return;
  const [label, value] = bad;
  const message = `The label ${showName(label)} with the value ${showName(value)} of node ${showName(name)} cannot be one of a worker.`;
  errors.add({ ...at, path: `nodes.${name}.labels`, message, hint: LABEL_HINT });
}
