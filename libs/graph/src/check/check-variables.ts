import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type StepDraft, type Expansion } from '../plan/expansion.js';
import { findPlaceholders, type Placeholder } from '../variables/find-placeholders.js';
import { type Problem, type Problems } from './problem.js';

interface TextPlace {
  /** Names the place at the start of a message, such as `Input "url" of node "get-1"`. */
  title: string;
  at: Pick<Problem, 'node' | 'port'>;
  /** Whether a run fills placeholders in this place. */
  isSubstituted: boolean;
  /** Space of the module that the text is written in; absent for the workflow itself. */
  space?: string | undefined;
}

/** Returns the names of a space's variables (null: the space of the run), or null if they are not known. */
type FindVariableNames = (space: string | null) => ReadonlySet<string> | null;

/**
 * Warns of `${{vars.NAME}}` placeholders that a run would not fill: the variable does not exist in its space, the
 * placeholder is malformed, or its place takes no variables. Checks the texts that a run would use, those inside of
 * modules included. The user who starts a run has variables of their own, so an unknown variable is not an error.
 */
export function checkVariables(expansion: Expansion, findNames: FindVariableNames, warnings: Problems): void {
  const check = (text: string, place: TextPlace): void => {
    const names = findNames(place.space ?? null);
    for (const placeholder of findPlaceholders(text)) report(placeholder, place, names, warnings);
  };
  for (const [node, { type, value, space }] of expansion.primitives) {
    if (typeof value !== 'string') continue;
    check(value, { title: `Input ${showName(node)}`, at: { node }, isSubstituted: type === 'STRING', space });
  }
  for (const step of expansion.steps) checkStep(step, check);
}

function checkStep(step: StepDraft, check: (text: string, place: TextPlace) => void): void {
  const { node, program } = step;
  const owner = `of node ${showName(node)}`;
  for (const { param, type, binding } of step.inputs) {
    if (binding.from !== 'value' || typeof binding.value !== 'string') continue;
    check(binding.value, {
      title: `Input ${showName(param)} ${owner}`,
      at: { node, port: param },
      isSubstituted: type === 'STRING',
      space: binding.space,
    });
  }
  for (const [name, value] of Object.entries(step.environment)) {
    const title = `Environment variable ${showName(name)} ${owner}`;
    check(value, { title, at: { node }, isSubstituted: true, space: step.space });
  }
  if (step.when !== undefined)
    check(step.when.text, { title: `The condition ${owner}`, at: { node }, isSubstituted: false });
  if (program.kind === 'split' || program.kind === 'approval') return;
  const isScript = program.kind === 'script';
  const title = `The ${isScript ? 'script' : 'command'} ${owner}`;
  for (const text of [...(isScript ? [program.source] : program.command), ...program.args])
    check(text, { title, at: { node }, isSubstituted: false });
}

function report(
  { name, text, suggestion }: Placeholder,
  { title, at, isSubstituted, space }: TextPlace,
  names: ReadonlySet<string> | null,
  warnings: Problems,
): void {
  if (!isSubstituted) {
    // A script may contain such braces for reasons of its own.
    if (name === null) return;
    const message = `${title} contains ${showName(text)}, but variables are not substituted there.`;
    const hint = 'Use the variable in an input of type STRING, or in the `environment` of the node.';
    warnings.add({ code: 'misplaced_variable', message, ...at, hint });
  } else if (name === null) {
    const message = `${title} contains ${showName(text)}, which is not a variable and is passed on unchanged.`;
    warnings.add({ code: 'bad_placeholder', message, ...at, hint: `Write a variable as ${suggestion}.` });
  } else if (names !== null && !names.has(name)) {
    const scope = space === undefined ? '' : " in the module's space";
    const message = `${title} uses the variable ${showName(name)}, which does not exist${scope}.`;
    const problem = { code: 'unknown_variable', message, ...at } as const;
    warnings.add({ ...problem, hint: 'Add it to the secret variables.' }, () => suggestName(name, names));
  }
}
