import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type Draft, type Expansion } from '../plan/expansion.js';
import { findPlaceholders, type Placeholder } from '../variables/find-placeholders.js';
import { type Problem, type Problems } from './problem.js';

interface Place {
  /** As in "text of", for messages. */
  what: string;
  at: Pick<Problem, 'node' | 'port'>;
  /** Whether a variable is put in there. */
  resolved: boolean;
  /** Of the module that the text is written in; absent for the workflow itself. */
  space?: string | undefined;
}

/** The variables that there are in a space, null for that of the run; null where nobody can say. */
type Known = (space: string | null) => ReadonlySet<string> | null;

/**
 * Warns of `${{vars.NAME}}` placeholders that a run would not fill: of variables that their scope does not
 * have, badly written, or in a place where none is filled. Looks at what a run would use, so inside of modules as well.
 * Who runs a workflow has variables of their own, so an unknown one is no error here.
 */
export function checkVariables(expansion: Expansion, known: Known, warnings: Problems): void {
  const check = (text: string, place: Place): void => {
    const names = known(place.space ?? null);
    for (const placeholder of findPlaceholders(text)) report(placeholder, place, names, warnings);
  };
  for (const [node, { type, value, space }] of expansion.primitives) {
    if (typeof value !== 'string') continue;
    check(value, { what: `input ${showName(node)}`, at: { node }, resolved: type === 'STRING', space });
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
      space: binding.space,
    });
  }
  for (const [name, value] of Object.entries(step.environment)) {
    const what = `environment variable ${showName(name)} ${of}`;
    check(value, { what, at: { node }, resolved: true, space: step.space });
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
    const scope = place.space === undefined ? '' : " in the module's space";
    const message = `${what} uses the variable ${showName(name)}, which does not exist${scope}`;
    const problem = { code: 'unknown_variable', message, ...at } as const;
    warnings.add({ ...problem, hint: 'add it to the secret variables' }, () => suggestName(name, known));
  }
}
