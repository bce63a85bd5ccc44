import { showName } from '../names/check-name.js';
import { type LevelNode } from '../parse/level.js';
import { readFailThreshold } from '../plan/failure-rule.js';
import { type Problems } from './problem.js';

const FORM_HINT = 'Write a number of children such as 5, or a percentage of them such as "10%".';
const RULE_HINT = 'Set `on_error` to "continue" or "empty", or remove `fail_threshold`.';

/**
 * Checks the `fail_threshold` of a node. Without `on_error` it is an error and not a warning, because its author expects
 * that a few failures do not matter.
 */
export function checkFailThreshold({ name, node }: LevelNode, errors: Problems): void {
  const { fail_threshold: threshold, on_error: rule } = node;
  if (threshold == null) return;
  const at = { code: 'bad_fail_threshold', node: name, path: `nodes.${name}.fail_threshold` } as const;
  if (readFailThreshold(threshold) === null) {
    const message = `The \`fail_threshold\` of node ${showName(name)} must be a whole number from 0, or a percentage from 0% to 100% (got ${showName(String(threshold))}).`;
    errors.add({ ...at, message, hint: FORM_HINT });
  } else if (rule !== 'continue' && rule !== 'empty') {
    const message = `Node ${showName(name)} has a \`fail_threshold\` but fails at the first failure, because its \`on_error\` is ${rule === 'fail' ? '"fail"' : 'not set'}.`;
    errors.add({ ...at, message, hint: RULE_HINT });
  }
}
