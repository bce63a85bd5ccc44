import { findParam, paramNames, usedParams } from '../connect/find-param.js';
import { openInputs } from '../connect/module-ports.js';
import { VALUE_HINTS, readValue } from '../data/read-value.js';
import { NAME_HINT, checkName, showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type LevelNode } from '../parse/level.js';
import { commandWords, findOutputFlag } from '../plan/build-program.js';
import { checkDistribution } from './check-distribution.js';
import { type Problems } from './problem.js';

/** Checks what a node says about itself: its program, its inputs and their values, its distribution. */
export function checkNode(target: LevelNode, errors: Problems, warnings: Problems): void {
  checkProgram(target, errors);
  if (target.node.type === 'WORKFLOW') checkModuleInputs(target, errors, warnings);
  else if (target.node.type === 'SPLITTER') checkSplitter(target, errors);
  else checkInputs(target, errors, warnings);
  checkDistribution(target, errors);
  const { name } = target.node;
  if (typeof name === 'string' && name !== target.name) {
    const message = `node ${showName(target.name)} calls itself ${showName(name)}; its key counts`;
    const hint = `set its name to ${showName(target.name)}, or leave it out`;
    warnings.add({ code: 'name_mismatch', message, node: target.name, hint });
  }
}

function checkProgram(target: LevelNode, errors: Problems): void {
  const { node, name } = target;
  if (node.type === 'TOOL' && (commandWords(node)[0] ?? '') === '') {
    const hint = 'set container.command, for example ["sort", "-u"]';
    errors.add({ code: 'tool_without_command', message: `tool ${showName(name)} has no command`, node: name, hint });
  }
  if (node.type === 'SCRIPT' && (node.script?.source ?? '').trim() === '') {
    errors.add({
      code: 'script_without_source',
      message: `script ${showName(name)} has no source`,
      node: name,
      hint: 'set script.source to what it is to run',
    });
  }
}

function checkInputs(target: LevelNode, errors: Problems, warnings: Problems): void {
  const connected = new Set(target.connections.map((connection) => connection.param));
  const entries = new Set(target.ownEntries ? target.connections.map(({ param, source }) => `${param}/${source}`) : []);
  for (const key of target.inputs.keys()) {
    const wrong = key
      .split('/')
      .map(checkName)
      .find((part) => part !== null);
    if (wrong !== undefined) {
      errors.add({
        code: 'bad_name',
        message: `the input name ${showName(key)} ${wrong}`,
        node: target.name,
        port: key,
        hint: NAME_HINT,
      });
    } else if (key.includes('/') && !entries.has(key)) {
      const message = `input ${showName(key)} of node ${showName(target.name)} belongs to a connection that does not exist`;
      const hint = `remove it, or connect ${showName(key.slice(key.indexOf('/') + 1))} to it again`;
      warnings.add({ code: 'unused_input', message, node: target.name, port: key, hint });
    }
  }
  for (const name of usedParams(target)) {
    if (!connected.has(name)) checkUnconnected(target, name, errors);
    if (findParam(target, name, null)?.type === 'BOOLEAN' && !target.inputs.get(name)?.command) {
      const message = `input ${showName(name)} of node ${showName(target.name)} is true or false but has no flag, so it does nothing`;
      const hint = 'set its command to the flag, for example "--verbose"';
      warnings.add({ code: 'flagless_boolean', message, node: target.name, port: name, hint });
    }
  }
}

/** Tools declare every flag they know: one that is hidden, or takes any number of values, may stay empty. */
function checkUnconnected(target: LevelNode, name: string, errors: Problems): void {
  const input = target.inputs.get(name);
  if (input === undefined) return;
  const read = readValue(input.type, input.value);
  if ('wrong' in read) {
    const message = `the value of input ${showName(name)} of node ${showName(target.name)} ${read.wrong}`;
    errors.add({ code: 'bad_value', message, node: target.name, port: name, hint: VALUE_HINTS[input.type] });
    return;
  }
  const empty = read.value === null || read.value === '';
  const optional = input.type === 'BOOLEAN' || input.multi === true || input.visible === false;
  if (empty && !optional && name !== findOutputFlag(target)?.input) missingInput(target, name, errors);
}

function missingInput(target: LevelNode, name: string, errors: Problems): void {
  const message = `input ${showName(name)} of node ${showName(target.name)} has neither a value nor a connection`;
  const hint = 'give it a value, connect it, or set visible to false to leave it out';
  errors.add({ code: 'missing_input', message, node: target.name, port: name, hint });
}

function checkSplitter(target: LevelNode, errors: Problems): void {
  if (target.connections.length > 0) return;
  const message = `splitter ${showName(target.name)} has nothing to split: no connection leads to its input "multiple"`;
  const hint = 'connect the output "file" of the node whose lines are to be split, or an input of type FILE';
  errors.add({ code: 'missing_input', message, node: target.name, port: 'multiple', hint });
}

function checkModuleInputs(target: LevelNode, errors: Problems, warnings: Problems): void {
  if (target.module === null) return;
  const ports = target.module.inputs;
  const set = new Set(target.connections.flatMap((connection) => ports.get(connection.param) ?? []));
  for (const [key, input] of target.inputs) {
    const port = ports.get(key) ?? ports.get(key.slice(0, Math.max(0, key.lastIndexOf('/'))));
    const read = readValue(port?.[0]?.type ?? 'STRING', input.value);
    const given = 'wrong' in read || (read.value !== null && read.value !== '');
    if (port === undefined) unknownInput(target, key, given ? errors : warnings);
    else if (!ports.has(key) || port.every((primitive) => set.has(primitive))) continue;
    else if ('wrong' in read) {
      const message = `the value of input ${showName(key)} of node ${showName(target.name)} ${read.wrong}`;
      const hint = VALUE_HINTS[port[0]?.type ?? 'STRING'];
      errors.add({ code: 'bad_value', message, node: target.name, port: key, hint });
    } else if (given) port.forEach((primitive) => set.add(primitive));
  }
  for (const [port, primitive] of openInputs(target.module)) {
    if (primitive.value === null && !set.has(primitive)) missingInput(target, port, errors);
  }
}

function unknownInput(target: LevelNode, key: string, into: Problems): void {
  const message = `node ${showName(target.name)} sets input ${showName(key)}, which its workflow does not have`;
  const problem = { code: 'unknown_input', message, node: target.name, port: key } as const;
  into.add({ ...problem, hint: 'remove it' }, () => suggestName(key, paramNames(target)));
}
