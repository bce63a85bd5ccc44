import { type Problem, type Problems } from '../check/problem.js';
import { type Edge } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type Connection, type LevelNode, type Primitive } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';
import { findParam, paramNames, type Param } from './find-param.js';
import { matchTypes, describeType, type TargetType, type SourceType } from './match-types.js';

const SOURCE = 'output/';
const DESTINATION = 'input/';

interface Names {
  nodes: Map<string, LevelNode>;
  primitives: Map<string, Primitive>;
}

interface Source {
  name: string;
  from: Connection['from'];
  port: string;
  type: SourceType;
}

/** A problem with an edge. Not an `Error`, because 20,000 invalid edges would create 20,000 stack traces. */
class InvalidEdge {
  constructor(
    readonly problem: Problem,
    readonly suggest?: () => string | undefined,
  ) {}
}

/** A connection that passes data, or only orders: `to` starts after `after` has ended. */
export type ResolvedEdge = { to: LevelNode; connection: Connection } | { to: LevelNode; after: string };

/**
 * Resolves an edge from `output/<node>/<port>` to `input/<node>/<param>`, with or without a final `/<source>`. A primitive
 * is a source as `output/<id>`, `output/<id>/output` or `output/<id>/value`. An edge from `output/<node>` to `input/<node>`
 * only orders. Returns null for an invalid edge and adds an error.
 */
export function resolveConnection(edge: Edge, names: Names, errors: Problems): ResolvedEdge | null {
  const resolved = resolve(edge, names);
  if (!(resolved instanceof InvalidEdge)) return resolved;
  errors.add(resolved.problem, resolved.suggest);
  return null;
}

function resolve(edge: Edge, names: Names): ResolvedEdge | InvalidEdge {
  const order = findOrder(edge, names);
  if (order !== null) return order;
  const source = readSource(edge.source.id, names);
  if (source instanceof InvalidEdge) return source;
  const end = readDestination(edge.destination.id, source.name, names);
  if (end instanceof InvalidEdge) return end;
  const connection = connect(source, end.to, end.param);
  return connection instanceof InvalidEdge ? connection : { to: end.to, connection };
}

/** Two ends without ports, the first of which is a node: an input of the workflow orders nothing. */
function findOrder(edge: Edge, names: Names): ResolvedEdge | InvalidEdge | null {
  const source = splitEnd(edge.source.id, SOURCE);
  const end = splitEnd(edge.destination.id, DESTINATION);
  if (source?.rest !== '' || end?.rest !== '' || names.primitives.has(source.name)) return null;
  if (!names.nodes.has(source.name)) return unknownNode(source.name, () => names.nodes.keys());
  const to = findDestination(edge.destination.id, end.name, names);
  return to instanceof InvalidEdge ? to : { to, after: source.name };
}

function readSource(id: string, names: Names): Source | InvalidEdge {
  const end = splitEnd(id, SOURCE);
  if (end === null) {
    const hint = splitEnd(id, DESTINATION) !== null ? 'Swap `source` and `destination`.' : FORM_HINT;
    return badEdge(id, 'must have the form output/<node>/<port>', hint);
  }
  const { name, rest: port } = end;
  const primitive = names.primitives.get(name);
  if (primitive !== undefined) {
    if (port !== '' && port !== 'output' && port !== 'value') return unknownPort(name, port, ['output']);
    return { name, from: 'primitive', port: '', type: primitive.type };
  }
  const node = names.nodes.get(name);
  if (node === undefined) return unknownNode(name, () => [...names.nodes.keys(), ...names.primitives.keys()]);
  if (node.node.type === 'WORKFLOW') return moduleSource(node, port);
  if (node.node.type === 'SPLITTER') {
    return port === 'output' ? { name, from: 'splitter', port: '', type: 'ITEM' } : unknownPort(name, port, ['output']);
  }
  if (port !== 'file' && port !== 'folder') return unknownPort(name, port, ['file', 'folder']);
  return { name, from: 'step', port: '', type: port === 'file' ? 'FILE' : 'FOLDER' };
}

function moduleSource(node: LevelNode, port: string): Source | InvalidEdge {
  const ports = node.module?.outputs ?? new Map<string, unknown>();
  if (ports.has(port)) return { name: node.name, from: 'module', port, type: 'OUTPUT' };
  const [, portName, output] = /^(.*)\/(file|folder)$/s.exec(port) ?? [];
  if (portName === undefined || !ports.has(portName)) return unknownPort(node.name, port, [...ports.keys()]);
  return { name: node.name, from: 'module', port: portName, type: output === 'file' ? 'FILE' : 'FOLDER' };
}

/** Does not use a regular expression, which would be measurably slower for 20,000 edges. */
function splitEnd(id: string, prefix: string): { name: string; rest: string } | null {
  if (!id.startsWith(prefix)) return null;
  const slash = id.indexOf('/', prefix.length);
  const name = slash < 0 ? id.slice(prefix.length) : id.slice(prefix.length, slash);
  return name === '' ? null : { name, rest: slash < 0 ? '' : id.slice(slash + 1) };
}

function readDestination(id: string, source: string, names: Names): { to: LevelNode; param: Param } | InvalidEdge {
  const parts = splitEnd(id, DESTINATION);
  if (parts === null) return badEdge(id, 'must have the form input/<node>/<input>', FORM_HINT);
  const { name, rest } = parts;
  const to = findDestination(id, name, names);
  if (to instanceof InvalidEdge) return to;
  const end = rest.length - source.length - 1;
  const param = rest[end] === '/' && rest.endsWith(source) ? rest.slice(0, end) : rest;
  const found = findParam(to, param, source) ?? (param === rest ? null : findParam(to, rest, source));
  if (found !== null) return { to, param: found };
  const slash = rest.lastIndexOf('/');
  if (slash > 0 && findParam(to, rest.slice(0, slash), source) !== null) {
    const problem = `names the source ${showName(rest.slice(slash + 1))}, but the edge starts at ${showName(source)}`;
    return badEdge(id, problem, `End it with ${showName(source)}, or remove that part.`, name, rest.slice(0, slash));
  }
  if (param === '') return missingPort('unknown_param', name, `to node ${showName(name)} but names no input of it`);
  return new InvalidEdge(
    {
      code: 'unknown_param',
      message: `Node ${showName(name)} has no input ${showName(param)}.`,
      node: name,
      port: param,
    },
    () => suggestOrList(param, paramNames(to)),
  );
}

function findDestination(id: string, name: string, names: Names): LevelNode | InvalidEdge {
  const to = names.nodes.get(name);
  if (to !== undefined) return to;
  if (!names.primitives.has(name)) return unknownNode(name, () => names.nodes.keys());
  const hint = 'Set the `value` of that input, or connect the source to a node.';
  return badEdge(id, 'names an input of the workflow, which accepts no connections', hint, name);
}

function connect(source: Source, to: LevelNode, { name: param, type }: Param): Connection | InvalidEdge {
  const target = findTargetType(to, param, type);
  const carries = matchTypes(target, source.type);
  if (carries !== null) return { source: source.name, from: source.from, port: source.port, carries, param };
  const message =
    `Input ${showName(param)} of node ${showName(to.name)} accepts ${describeType(target)}, ` +
    `but ${showName(source.name)} provides ${describeType(source.type)}.`;
  return new InvalidEdge({ code: 'type_mismatch', message, node: to.name, port: param }, () =>
    suggestFix(target, source.type),
  );
}

function suggestFix(target: TargetType, source: SourceType): string {
  if (target === 'LINES' || target === 'FILES') return 'Connect a file or a folder: nothing else can be distributed.';
  if (target === 'STRING' && (source === 'FILE' || source === 'OUTPUT'))
    return 'Put a splitter in between, or set a `distribution` with the mode "line" on the node.';
  if (target === 'FILE' && source === 'FOLDER')
    return 'Connect the port "file", or set a `distribution` with the mode "file" on the node.';
  if (target === 'FOLDER' && source === 'FILE') return 'Connect the port "folder".';
  if (target === 'FOLDER' && source === 'ITEM')
    return 'Connect it to an input of type STRING or FILE: an item is one line.';
  return `Connect it to an input of another type, or put a script in between that converts it to ${describeType(target)}.`;
}

function findTargetType(to: LevelNode, param: string, type: InputType): TargetType {
  if (to.node.type === 'SPLITTER') return 'LINES';
  if (to.node.distribution?.input === param) return to.node.distribution.mode === 'file' ? 'FILES' : 'LINES';
  return type;
}

const FORM_HINT = 'Write a connection from "output/<node>/<port>" to "input/<node>/<input>".';

const badEdge = (id: string, problem: string, hint: string, node?: string, port?: string): InvalidEdge =>
  new InvalidEdge({
    code: 'bad_edge',
    message: `The connection end ${showName(id)} ${problem}.`,
    ...(node === undefined ? {} : { node }),
    ...(port === undefined ? {} : { port }),
    hint,
  });

const unknownNode = (name: string, known: () => Iterable<string>): InvalidEdge =>
  new InvalidEdge(
    { code: 'unknown_node', message: `A connection names node ${showName(name)}, which does not exist.`, node: name },
    () => suggestOrList(name, [...known()]) ?? 'Remove the connection, or add the node.',
  );

function unknownPort(node: string, port: string, known: string[]): InvalidEdge {
  if (port === '') return missingPort('unknown_port', node, `from node ${showName(node)} but names no output of it`);
  return new InvalidEdge(
    { code: 'unknown_port', message: `Node ${showName(node)} has no output ${showName(port)}.`, node, port },
    () => suggestOrList(port, known),
  );
}

/** One end has a port and the other has none, so it is unclear whether data should pass. */
const missingPort = (code: 'unknown_port' | 'unknown_param', node: string, what: string): InvalidEdge =>
  new InvalidEdge({
    code,
    message: `A connection passes data ${what}.`,
    node,
    hint: 'Name it, or leave out the ports of both ends to only order the two nodes.',
  });

/** Suggests the nearest known name, or lists all of them if none is near and they are few. */
function suggestOrList(wrong: string, known: string[]): string | undefined {
  const suggestion = suggestName(wrong, known);
  if (suggestion !== undefined || known.length > 5) return suggestion;
  return known.length > 0
    ? `Use one of ${known.map(showName).join(', ')}.`
    : 'Remove the connection: the node has none.';
}
