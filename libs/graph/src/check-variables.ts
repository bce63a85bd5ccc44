import { showName } from './check-name.js';
import { type Draft, type Expansion } from './expansion.js';
import { findPlaceholders, type Placeholder } from './find-placeholders.js';
import { type Problem, type Problems } from './problem.js';
import { suggestName } from './suggest-name.js';

interface Place {
  /** As in "text of", for messages. */
  what: string;
  at: Pick<Problem, 'node' | 'port'>;
  /** Whether a variable is put in there. */
  resolved: boolean;
}

/**
 * Warns of `${{vars.NAME}}` placeholders that a run would not fill: of variables that `known` does not hold, badly
 * written, or in a place where none is filled. Looks at what a run would use, so inside of modules as well. Who runs a
 * workflow has variables of their own, so an unknown one is no error here.
 * @param known null where nobody can say which variables there are
 */
export function checkVariables(expansion: Expansion, known: ReadonlySet<string> | null, warnings: Problems): void {
  const check = (text: string, place: Place): void => {
    for (const placeholder of findPlaceholders(text)) report(placeholder, place, known, warnings);
  };
  for (const [node, { type, value }] of expansion.primitives) {
    if (typeof value !== 'string') continue;
    check(value, { what: `input ${showName(node)}`, at: { node }, resolved: type === 'STRING' });
  }
  for (const step of expansion.steps) checkStep(step, check);
}

function checkStep(step: Draft, check: (text: string, place: Place) => void): void {
  const { node, program } = step;
  const of = `of node ${showName(node)}`;
  for (const { param, type, binding } of step.inputs) {
    if (binding.from !== 'value' || typeof binding.value !== 'string') continue;
    check(binding.value, {
      what: `input ${showName(param)} ${of}`,
      at: { node, port: param },
      resolved: type === 'STRING',
    });
  }
  for (const [name, value] of Object.entries(step.environment)) {
    check(value, { what: `environment variable ${showName(name)} ${of}`, at: { node }, resolved: true });
  }
  if (program.kind === 'split') return;
  const fixed = program.kind === 'script' ? [program.source] : program.command;
  for (const text of [...fixed, ...program.args])
    check(text, { what: `what is run ${of}`, at: { node }, resolved: false });
}

function report(found: Placeholder, place: Place, known: ReadonlySet<string> | null, warnings: Problems): void {
  const { what, at, resolved } = place;
  const { name, text } = found;
  if (!resolved) {
    // A script may well hold braces of its own.
    if (name === null) return;
    const message = `${what} holds ${showName(text)}, but no variable is put in there`;
    const hint = 'put it into an input of type STRING, or into the environment of the node';
    warnings.add({ code: 'misplaced_variable', message, ...at, hint });
  } else if (name === null) {
    const message = `${what} holds ${showName(text)}, which names no variable and stays as it is`;
    warnings.add({ code: 'bad_placeholder', message, ...at, hint: `a variable is written ${found.meant}` });
  } else if (known !== null && !known.has(name)) {
    const message = `${what} uses the variable ${showName(name)}, which does not exist`;
    const problem = { code: 'unknown_variable', message, ...at } as const;
    warnings.add({ ...problem, hint: 'add it to the secret variables' }, () => suggestName(name, known));
  }
}
