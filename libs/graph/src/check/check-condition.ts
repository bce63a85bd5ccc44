import { showName } from '../names/check-name.js';
import { type LevelNode } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Warns of unquoted values that look like references: a condition compares with their text, not with what they name. */
export function checkCondition({ name, condition }: LevelNode, warnings: Problems): void {
  for (const { text, position } of condition?.referenceLikeValues ?? []) {
    const shown = showName(text);
    warnings.add({
      code: 'reference_as_text',
      message: `The condition of node ${showName(name)} compares with the text ${shown} at position ${position}, not with the value of that reference.`,
      ...{ node: name, path: `nodes.${name}.when`, position },
      hint: `Write ${shown} in quotes if you mean the text. A reference is accepted only on the left; compare two of them in a script, and test its output.`,
    });
  }
}
