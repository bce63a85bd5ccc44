import { findParam, paramNames, usedParams } from '../connect/find-param.js';
import { openInputs } from '../connect/module-ports.js';
import { VALUE_HINTS, readValue } from '../data/read-value.js';
import { NAME_HINT, checkName, showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type LevelNode } from '../parse/level.js';
import { commandWords, findOutputFlag } from '../plan/build-program.js';
import { checkApproval } from './check-approval.js';
import { checkCondition } from './check-condition.js';
import { checkDistribution } from './check-distribution.js';
import { checkFailThreshold } from './check-fail-threshold.js';
import { checkPlacement } from './check-placement.js';
import { type Problems } from './problem.js';

/** Checks a node's own record: its program, its inputs and their values, its distribution, its rules for failures. */
export function checkNode(target: LevelNode, errors: Problems, warnings: Problems): void {
  checkProgram(target, errors);
  if (target.node.type === 'WORKFLOW') checkModuleInputs(target, errors, warnings);
  else if (target.node.type === 'SPLITTER') checkSplitter(target, errors);
  else checkInputs(target, errors, warnings);
  checkDistribution(target, errors);
  checkFailThreshold(target, errors);
  checkPlacement(target, errors);
  checkApproval(target, errors, warnings);
  checkCondition(target, warnings);
  const { name } = target.node;
  if (typeof name === 'string' && name !== target.name) {
    const message = `Node ${showName(target.name)} has the \`name\` ${showName(name)}, which is ignored: the key in \`nodes\` is its name.`;
    const hint = `Set \`name\` to ${showName(target.name)}, or remove it.`;
    warnings.add({ code: 'name_mismatch', message, node: target.name, hint });
  }
}

function checkProgram(target: LevelNode, errors: Problems): void {
  const { node, name } = target;
  if (node.type === 'TOOL' && (commandWords(node)[0] ?? '') === '') {
    const hint = 'Set `container.command`, for example ["sort", "-u"].';
    errors.add({ code: 'tool_without_command', message: `Tool ${showName(name)} has no command.`, node: name, hint });
  }
  if (node.type === 'SCRIPT' && (node.script?.source ?? '').trim() === '') {
    errors.add({
      code: 'script_without_source',
      message: `Script ${showName(name)} has no source.`,
      node: name,
      hint: 'Set `script.source` to the text of the script.',
    });
  }
}

function checkInputs(target: LevelNode, errors: Problems, warnings: Problems): void {
  const connected = new Set(target.connections.map((connection) => connection.param));
  const entries = new Set(
    target.hasConnectionEntries ? target.connections.map(({ param, source }) => `${param}/${source}`) : [],
  );
  for (const key of target.inputs.keys()) {
    const nameProblem = key
      .split('/')
      .map(checkName)
      .find((part) => part !== null);
    if (nameProblem !== undefined) {
      errors.add({
        code: 'bad_name',
        message: `The input name ${showName(key)} of node ${showName(target.name)} ${nameProblem}.`,
        node: target.name,
        port: key,
        hint: NAME_HINT,
      });
    } else if (key.includes('/') && !entries.has(key)) {
      const message = `Input ${showName(key)} of node ${showName(target.name)} belongs to a connection that does not exist.`;
      const hint = `Remove it, or connect ${showName(key.slice(key.indexOf('/') + 1))} to the input again.`;
      warnings.add({ code: 'unused_input', message, node: target.name, port: key, hint });
    }
  }
  for (const name of usedParams(target)) {
    if (!connected.has(name)) checkUnconnected(target, name, errors);
    if (findParam(target, name, null)?.type === 'BOOLEAN' && !target.inputs.get(name)?.command) {
      const message = `Input ${showName(name)} of node ${showName(target.name)} has the type BOOLEAN but no flag, so it has no effect.`;
      const hint = 'Set its `command` to the flag, for example "--verbose".';
      warnings.add({ code: 'flagless_boolean', message, node: target.name, port: name, hint });
    }
  }
}

/** A tool declares all its flags, so an input that is hidden or takes any number of values may stay empty. */
function checkUnconnected(target: LevelNode, name: string, errors: Problems): void {
  const input = target.inputs.get(name);
  if (input === undefined) return;
  const read = readValue(input.type, input.value);
  if ('problem' in read) {
    const message = `The value of input ${showName(name)} of node ${showName(target.name)} ${read.problem}.`;
    errors.add({ code: 'bad_value', message, node: target.name, port: name, hint: VALUE_HINTS[input.type] });
    return;
  }
  const empty = read.value === null || read.value === '';
  const optional = input.type === 'BOOLEAN' || input.multi === true || input.visible === false;
  if (empty && !optional && name !== findOutputFlag(target)?.input) reportMissingInput(target, name, errors);
}

function reportMissingInput(target: LevelNode, name: string, errors: Problems): void {
  const message = `Input ${showName(name)} of node ${showName(target.name)} has neither a value nor a connection.`;
  const hint = 'Set its `value`, connect it, or set `visible` to false to leave it out.';
  errors.add({ code: 'missing_input', message, node: target.name, port: name, hint });
}

function checkSplitter(target: LevelNode, errors: Problems): void {
  if (target.connections.length > 0) return;
  const message = `Splitter ${showName(target.name)} has nothing to split: nothing is connected to its input "multiple".`;
  const hint = 'Connect the output "file" of the node whose lines should be split, or an input of type FILE.';
  errors.add({ code: 'missing_input', message, node: target.name, port: 'multiple', hint });
}

function checkModuleInputs(target: LevelNode, errors: Problems, warnings: Problems): void {
  if (target.module === null) return;
  const ports = target.module.inputs;
  const bound = new Set(target.connections.flatMap((connection) => ports.get(connection.param) ?? []));
  for (const [key, input] of target.inputs) {
    const port = ports.get(key) ?? ports.get(key.slice(0, Math.max(0, key.lastIndexOf('/'))));
    const read = readValue(port?.[0]?.type ?? 'STRING', input.value);
    const isSet = 'problem' in read || (read.value !== null && read.value !== '');
    if (port === undefined) reportUnknownInput(target, key, isSet ? errors : warnings);
    else if (!ports.has(key) || port.every((primitive) => bound.has(primitive))) continue;
    else if ('problem' in read) {
      const message = `The value of input ${showName(key)} of node ${showName(target.name)} ${read.problem}.`;
      const hint = VALUE_HINTS[port[0]?.type ?? 'STRING'];
      errors.add({ code: 'bad_value', message, node: target.name, port: key, hint });
    } else if (isSet) port.forEach((primitive) => bound.add(primitive));
  }
  for (const [port, primitive] of openInputs(target.module)) {
    if (primitive.value === null && !bound.has(primitive)) reportMissingInput(target, port, errors);
  }
}

function reportUnknownInput(target: LevelNode, key: string, problems: Problems): void {
  const message = `Node ${showName(target.name)} sets the input ${showName(key)}, which its workflow does not have.`;
  const problem = { code: 'unknown_input', message, node: target.name, port: key } as const;
  problems.add({ ...problem, hint: 'Remove it.' }, () => suggestName(key, paramNames(target)));
}
